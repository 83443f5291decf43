/* A plugin of Swagger UI that marks planned operations. The document marks them with `x-kinora-planned`. */

const badge = (React, text) => React.createElement('span', { className: 'planned' }, text);

const isPlanned = (operation) => operation?.get('x-kinora-planned') !== undefined;

/** Returns a text with the number of planned operations of a tag; null if there are none. */
function plannedIn(tagged) {
  const operations = tagged?.get('operations');
  const planned = operations?.count((item) => isPlanned(item.get('operation'))) ?? 0;
  if (planned === 0) return null;
  return planned === operations.size ? 'planned' : `${planned} of ${operations.size} planned`;
}

export const planned = () => ({
  wrapComponents: {
    OperationSummaryPath:
      (Original, { React, specSelectors }) =>
      (props) => {
        const { path, method } = props.operationProps.toObject();
        const operation = specSelectors.specJson().getIn(['paths', path, method]);
        return React.createElement(
          React.Fragment,
          null,
          React.createElement(Original, props),
          isPlanned(operation) ? badge(React, 'planned') : null,
        );
      },

    /** Adds the number of planned operations to the heading of a tag. Only the link of a tag has a text. */
    DeepLink:
      (Original, { React, specSelectors }) =>
      (props) => {
        const isTag = typeof props.text === 'string';
        const text = isTag ? plannedIn(specSelectors.taggedOperations().get(props.text)) : null;
        return React.createElement(
          React.Fragment,
          null,
          React.createElement(Original, props),
          text === null ? null : badge(React, text),
        );
      },
  },
});
