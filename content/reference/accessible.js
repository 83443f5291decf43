/* A plugin of Swagger UI for accessibility: names elements that have no name, and separates nested controls. */

const named =
  (name) =>
  (Original, { React }) =>
  (props) =>
    React.createElement(Original, { 'aria-label': name, ...props });

/** Puts a component into a named region, because the component is outside of Swagger UI's main landmark. */
const inRegion =
  (name) =>
  (Original, { React }) =>
  (props) =>
    React.createElement('section', { 'aria-label': name }, React.createElement(Original, props));

/** Changes the elements of a component that has no property for the change. */
const adjusted =
  (adjust) =>
  (Original, { React }) =>
  (props) =>
    React.createElement(
      'div',
      { ref: (element) => element && adjust(element, props) },
      React.createElement(Original, props),
    );

export const accessible = () => ({
  wrapComponents: {
    TextArea: named('Request body'),

    /** Uses the visible text as the name, because users of voice control speak this text. */
    Button:
      (Original, { React }) =>
      ({ 'aria-label': name, ...props }) =>
        React.createElement(Original, {
          ...props,
          ...(typeof props.children !== 'string' && { 'aria-label': name }),
        }),

    /** The icon is the only content of its button, so it gets a text. */
    CloseIcon:
      (Original, { React }) =>
      (props) =>
        React.createElement(
          React.Fragment,
          null,
          React.createElement(Original, props),
          React.createElement('span', { className: 'hidden-text' }, 'Close'),
        ),

    /** Makes the link of an operation plain text: it is inside a button, which also changes the address. */
    DeepLink:
      (Original, { React }) =>
      (props) =>
        props.path.includes('/')
          ? React.createElement('span', null, props.text)
          : React.createElement(Original, props),

    /** Replaces the list of servers, which has only the page's origin, by a heading between the title and the tags. */
    ServersContainer:
      (_, { React }) =>
      () =>
        React.createElement(
          'section',
          { 'aria-labelledby': 'operations-heading' },
          React.createElement('h2', { id: 'operations-heading' }, 'Operations'),
        ),

    InfoContainer: inRegion('About'),
    AuthorizeBtnContainer: inRegion('Authorization'),

    /** Names the region with the table of responses, so that the regions of several open operations have different names. */
    responses: adjusted((element, { method, path }) =>
      element.querySelector('[role=region]')?.setAttribute('aria-label', `Responses of ${method} ${path}`),
    ),

    /** Names the fields by `description`, which is the name of the parameter. */
    JsonSchemaForm: adjusted((element, { description }) => {
      if (typeof description !== 'string') return;
      for (const field of element.querySelectorAll('input, select, textarea')) {
        field.setAttribute('aria-label', description);
      }
    }),

    ExamplesSelect: adjusted((element) =>
      element.querySelector('select')?.setAttribute('aria-label', 'Example'),
    ),

    /** Makes code focusable, because keyboard users must be able to scroll it. */
    HighlightCode: adjusted((element) => element.querySelector('pre')?.setAttribute('tabindex', '0')),
  },
});
