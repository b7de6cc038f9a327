/** A resource of the plugin, from request to request: properties stay as the plugin returned them, with their marks. */
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import type { EmulatorOptions } from "../../../emulator/src";
import { nativeToken } from "../../../provider/definition/type-token";
import type { PropertyMap } from "../../../provider/schema/schema";
import { tracingSettings } from "../../support/exports/tracing";
import { type CallError, fromStruct, PluginClient, partialStateOf, toStruct } from "../../support/hosts/plugin-client";
import { type Platform, startPlatform } from "../../support/platform";

export class PluginLife {
  id = "";
  inputs: Struct = toStruct({});
  state: Struct = toStruct({});
  /** All properties that the plugin returned. */
  readonly returned: PropertyMap[] = [];

  private constructor(
    readonly plugin: PluginClient,
    private readonly urn: string,
    /** All errors, failed checks and lines on rows. */
    readonly texts: string[],
  ) {}

  static async start(platform: Pick<Platform, "clock" | "url">, kind = "Deployment", settings: PropertyMap = {}) {
    const texts: string[] = [];
    const plugin = await PluginClient.start(platform.clock, {
      show: (kind, _urn, text) => void (kind === "debug" || texts.push(text)),
      flush: async () => {},
    });
    const urls = { controlPlaneUrl: platform.url, ...tracingSettings(platform) };
    await plugin.configure({ ...urls, apiKey: `plugin-life-${lives++}`, ...settings });
    return new PluginLife(plugin, `urn:pulumi:dev::shop::${nativeToken(kind)}::agent`, texts);
  }

  /** Returns another resource of the same stack and process. */
  sibling(name: string): PluginLife {
    return new PluginLife(this.plugin, this.urn.replace(/[^:]+$/, name), this.texts);
  }

  /** Continues with the state of another run. */
  continue({ id, inputs, state }: PluginLife): this {
    return Object.assign(this, { id, inputs, state });
  }

  async check(declared: PropertyMap): Promise<Struct> {
    const request = new messages.CheckRequest().setUrn(this.urn).setOlds(this.inputs).setNews(toStruct(declared));
    const response = await this.plugin.call("check", request);
    this.texts.push(...response.getFailuresList().map((one) => one.getReason()));
    return this.note(response.getInputs());
  }

  async create(declared: PropertyMap, { isPreview = false, timeoutSeconds = 0 } = {}): Promise<PropertyMap> {
    const inputs = await this.check(declared);
    const request = new messages.CreateRequest().setUrn(this.urn).setProperties(inputs).setPreview(isPreview);
    const response = await this.keep(inputs, this.plugin.call("create", request.setTimeout(timeoutSeconds)));
    const properties = this.note(response.getProperties());
    if (!isPreview) Object.assign(this, { id: response.getId(), inputs, state: properties });
    return fromStruct(properties);
  }

  async update(declared: PropertyMap, { isPreview = false, timeoutSeconds = 0 } = {}): Promise<PropertyMap> {
    const inputs = await this.check(declared);
    const request = new messages.UpdateRequest().setId(this.id).setUrn(this.urn).setOlds(this.state).setNews(inputs);
    request.setOldInputs(this.inputs).setPreview(isPreview).setTimeout(timeoutSeconds);
    const response = await this.keep(this.inputs, this.plugin.call("update", request));
    const properties = this.note(response.getProperties());
    if (!isPreview) Object.assign(this, { inputs, state: properties });
    return fromStruct(properties);
  }

  async diff(declared: PropertyMap): Promise<messages.DiffResponse> {
    const request = new messages.DiffRequest().setId(this.id).setUrn(this.urn).setOlds(this.state);
    return this.plugin.call("diff", request.setNews(await this.check(declared)));
  }

  async refresh(): Promise<PropertyMap> {
    const request = new messages.ReadRequest().setId(this.id).setUrn(this.urn).setProperties(this.state);
    const response = await this.keep(this.inputs, this.plugin.call("read", request.setInputs(this.inputs)));
    this.inputs = this.note(response.getInputs());
    this.state = this.note(response.getProperties());
    return fromStruct(this.inputs);
  }

  async invoke(name: string, args: PropertyMap): Promise<PropertyMap> {
    const request = new messages.InvokeRequest().setTok(nativeToken(name)).setArgs(toStruct(args));
    return fromStruct((await this.keep(this.inputs, this.plugin.call("invoke", request))).getReturn());
  }

  private note(struct: Struct | undefined): Struct {
    this.returned.push(fromStruct(struct));
    return struct ?? toStruct({});
  }

  /** Keeps a partial state as the engine does. */
  private async keep<T>(inputs: Struct, result: Promise<T>): Promise<T> {
    return result.catch((error: CallError) => {
      const kept = partialStateOf(error);
      this.texts.push(error.details, ...(kept?.reasons ?? []));
      if (kept) {
        this.returned.push(kept.properties);
        Object.assign(this, { id: kept.id, inputs, state: toStruct(kept.properties) });
      }
      throw error;
    });
  }
}

let lives = 0;

/** Starts a platform, and a plugin for it. */
export async function startLife(options?: EmulatorOptions): Promise<{ platform: Platform; life: PluginLife }> {
  const platform = await startPlatform(options);
  return { platform, life: await PluginLife.start(platform) };
}
