/* A plugin of Swagger UI that names what its parts leave without a name, and parts what they nest. */

const named =
  (name) =>
  (Original, { React }) =>
  (props) =>
    React.createElement(Original, { 'aria-label': name, ...props });

/** Swagger UI begins its main landmark below these. */
const inRegion =
  (name) =>
  (Original, { React }) =>
  (props) =>
    React.createElement('section', { 'aria-label': name }, React.createElement(Original, props));

/** Sets on the elements of a component what it has no property for. */
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

    /** The visible text is the name: voice control asks for what it reads. */
    Button:
      (Original, { React }) =>
      ({ 'aria-label': name, ...props }) =>
        React.createElement(Original, {
          ...props,
          ...(typeof props.children !== 'string' && { 'aria-label': name }),
        }),

    /** Alone in its button. */
    CloseIcon:
      (Original, { React }) =>
      (props) =>
        React.createElement(
          React.Fragment,
          null,
          React.createElement(Original, props),
          React.createElement('span', { className: 'hidden-text' }, 'Close'),
        ),

    /** An operation's link stands inside of the button that opens it, and opening it sets the address. */
    DeepLink:
      (Original, { React }) =>
      (props) =>
        props.path.includes('/')
          ? React.createElement('span', null, props.text)
          : React.createElement(Original, props),

    /** A level of headings between the title and the tags. The only server is the origin of the page. */
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

    /** Its table is a region, of which an open operation has one. */
    responses: adjusted((element, { method, path }) =>
      element.querySelector('[role=region]')?.setAttribute('aria-label', `Responses of ${method} ${path}`),
    ),

    /** Its description is the name of the parameter. */
    JsonSchemaForm: adjusted((element, { description }) => {
      if (typeof description !== 'string') return;
      for (const field of element.querySelectorAll('input, select, textarea')) {
        field.setAttribute('aria-label', description);
      }
    }),

    ExamplesSelect: adjusted((element) =>
      element.querySelector('select')?.setAttribute('aria-label', 'Example'),
    ),

    /** Long code scrolls, for those without a mouse too. */
    HighlightCode: adjusted((element) => element.querySelector('pre')?.setAttribute('tabindex', '0')),
  },
});
