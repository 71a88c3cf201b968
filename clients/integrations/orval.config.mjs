// The client that orval makes: functions over fetch, in one file.
export default {
  service: {
    input: `${process.env.ADDRESS}/openapi.yaml`,
    output: { target: "./orval-client.ts", client: "fetch", baseUrl: process.env.ADDRESS },
  },
};
