import { assertUploadUrl, uploadHeaders } from "../../../../provider/api/control-plane/upload-url";

const at = (text: string, controlPlane = "https://agents.example.com", allowInsecureHttp = false) =>
  assertUploadUrl(text, { controlPlaneUrl: new URL(controlPlane), allowInsecureHttp }).href;

describe("An upload URL", () => {
  it.each([
    ["is HTTPS, wherever it is", "https://bucket.example/x?signature=1", "https://agents.example.com"],
    ["is at the control plane's own origin", "http://agents.internal/x", "http://agents.internal"],
    ["is on this machine, as the control plane is", "http://127.0.0.1:9000/x", "http://localhost:7420"],
  ])("is accepted when it %s", (_what, url, controlPlane) => {
    expect(at(url, controlPlane)).toBe(url);
  });

  it.each([
    ["is plain HTTP to another machine", "http://192.0.2.1/x?signature=s3cret", "http://127.0.0.1:7420", /plain HTTP/],
    ["is link-local", "http://169.254.169.254/latest", "https://agents.example.com", /plain HTTP/],
    ["is on this machine, unlike the control plane", "http://127.0.0.1/x", "https://agents.example.com", /HTTP/],
    ["has another port than the control plane", "http://agents.internal:81/x", "http://agents.internal", /plain HTTP/],
    ["carries a user name", "https://me@bucket.example/x", "https://agents.example.com", /user name/],
    ["carries a password", "https://:pw@bucket.example/x", "https://agents.example.com", /password/],
    ["is relative", "/uploads/x", "https://agents.example.com", /"\/uploads\/x" is not an absolute URL/],
    ["is empty", "", "https://agents.example.com", /"" is not an absolute URL/],
    ["is of another protocol", "file:///etc/passwd", "https://agents.example.com", /not an HTTPS URL/],
    ["holds data", "data:text/plain,x", "https://agents.example.com", /not an HTTPS URL/],
  ])("is rejected when it %s", (_what, url, controlPlane, reason) => {
    expect(() => at(url, controlPlane)).toThrow(reason);
    expect(() => at(url, controlPlane)).toThrow(/Nothing was uploaded/);
    expect(() => at(url, controlPlane)).not.toThrow(/s3cret/);
  });

  it("may be plain HTTP with the setting allowInsecureHttp", () => {
    expect(at("http://minio.internal/x", "https://agents.example.com", true)).toBe("http://minio.internal/x");
  });
});

describe("Upload headers", () => {
  it("exclude those of the connection", () => {
    const hop = { Connection: "close", "Transfer-Encoding": "chunked", Host: "x", "Proxy-Authorization": "x", TE: "x" };
    expect(uploadHeaders({ ...hop, "x-amz-tagging": "a=b", "Content-Type": "application/gzip" })).toEqual({
      ...{ "x-amz-tagging": "a=b", "Content-Type": "application/gzip" },
    });
  });

  it.each([
    ["a line break in a value", { "x-a": "1\r\nx-b: 2" }],
    ["a space in a name", { "x a": "1" }],
    ["an empty name", { "": "1" }],
    ["a character that no header may have", { "x-a": "€" }],
  ])("with %s are rejected", (_what, headers) => {
    expect(() => uploadHeaders(headers as Record<string, string>)).toThrow(/upload header that is not valid/);
  });
});
