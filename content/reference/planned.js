/* A plugin of Swagger UI that marks what is planned: the document says it of each operation (`x-kinora-planned`). */

const badge = (React, text) => React.createElement('span', { className: 'planned' }, text);

const isPlanned = (operation) => operation?.get('x-kinora-planned') !== undefined;

/** How many operations of a tag are planned, in words; null for none. */
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

    /** Marks a tag, whose link has its name alone for a path, in the heading that Swagger UI makes of it. */
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
