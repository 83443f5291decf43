/* A plugin of Swagger UI that reads the document. */

/**
 * Swagger UI itself reads it as YAML, though it is JSON, and resolves all webhooks, one after another, before it
 * shows anything, to list requests that nobody can send from here: the Event that they carry is among the
 * schemas, and `createWebhook` says how they arrive.
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
