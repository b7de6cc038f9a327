/** What the resources of one run of the engine share. Modules keep no state: the plugin may serve several runs. */
export class RunScope {
  private readonly instances = new Map<new () => object, object>();

  /** Returns the one instance of a class in this run, which the first call creates. */
  get<T extends object>(type: new () => T): T {
    const instance = this.instances.get(type) ?? new type();
    this.instances.set(type, instance);
    return instance as T;
  }
}
