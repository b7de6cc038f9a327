/** Large inputs are converted in time that grows with their size, not with its square. */
import { CheckResponse } from "@pulumi/pulumi/proto/provider_pb";
import { BinaryReader, BinaryWriter } from "google-protobuf";
import { ListValue, Struct, Value } from "google-protobuf/google/protobuf/struct_pb.js";
import { readRequest } from "../../../plugin/request-reader";
import { writeResponse } from "../../../plugin/response-writer";
import { decodeProperties, encodeProperties } from "../../../plugin/values";
import type { PropertyMap } from "../../../provider/schema/schema";
import { fromStruct } from "../../support/hosts/plugin-client";

const nested = (levels: number): PropertyMap =>
  levels === 0 ? { innermost: [1] } : { deeper: levels % 2 === 0 ? nested(levels - 1) : [nested(levels - 1)] };

afterEach(() => jest.restoreAllMocks());

test("A message is added while it is empty, because google-protobuf reads all levels of what is added", () => {
  const sizes: number[] = [];
  const { setStructValue, setListValue } = Value.prototype;
  const { addValues } = ListValue.prototype;
  jest.spyOn(Value.prototype, "setStructValue").mockImplementation(function (this: Value, struct = new Struct()) {
    sizes.push(struct.getFieldsMap().getLength());
    return setStructValue.call(this, struct);
  });
  jest.spyOn(Value.prototype, "setListValue").mockImplementation(function (this: Value, list = new ListValue()) {
    sizes.push(list.getValuesList().length);
    return setListValue.call(this, list);
  });
  jest.spyOn(ListValue.prototype, "addValues").mockImplementation(function (this: ListValue, value = new Value()) {
    sizes.push(value.getKindCase());
    return addValues.call(this, value);
  });
  const struct = encodeProperties(nested(100));
  expect(sizes).toEqual(Array(100 + 50 + 50 + 2).fill(0));
  jest.restoreAllMocks();
  expect(fromStruct(Struct.deserializeBinary(struct.serializeBinary()))).toEqual(nested(100));
});

test("A long text is converted as a whole, and arrives as it is", () => {
  const properties = { text: "\ufeff\0é😀".repeat(1000), short: "\ufeffé" };
  const expected = Buffer.from(encodeProperties(properties).serializeBinary());
  const write = jest.spyOn(BinaryWriter.prototype, "writeString");
  const read = jest.spyOn(BinaryReader.prototype, "readString");
  const bytes = writeResponse(new CheckResponse().setInputs(encodeProperties(properties)));
  const { values } = decodeProperties((readRequest(CheckResponse, bytes) as CheckResponse).getInputs());
  expect([values, bytes.includes(expected)]).toEqual([properties, true]);
  expect([...write.mock.calls, ...read.mock.results].filter((one) => JSON.stringify(one).length > 1000)).toEqual([]);
});
