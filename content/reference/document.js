/* A plugin of Swagger UI that parses the document as JSON and leaves out webhooks. */

/**
 * By default, Swagger UI parses the JSON document as YAML. Before it shows anything, it resolves all
 * webhooks one by one. Readers cannot send these requests from the page. Their schema `Event` is still listed, and
 * `createWebhook` describes the deliveries.
 */
export const document = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson:
          (_, { specActions, specSelectors }) =>
          (text) => {
            const { webhooks, ...shown } = JSON.parse(text || specSelectors.specStr());
            return specActions.updateJsonSpec(shown);
          },
      },
    },
  },
});
