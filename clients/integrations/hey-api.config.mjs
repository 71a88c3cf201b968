// The client that Hey API makes, with imports as Node wants them.
export default {
  input: `${process.env.ADDRESS}/openapi.yaml`,
  output: { path: "./hey-api", importFileExtension: ".js" },
};
