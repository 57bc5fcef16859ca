/** The used part of the standard's JavaScript interface; the server compiles without the DOM. */
declare namespace WebAssembly {
  type Exported = Readonly<Record<string, unknown>>
  type Described = { readonly module: string; readonly name: string; readonly kind: string }

  class Module {
    constructor(bytes: Uint8Array)
    static imports(module: Module): readonly Described[]
  }

  class Instance {
    constructor(module: Module, imports?: Readonly<Record<string, Exported>>)
    readonly exports: Exported
  }

  class Memory {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }

  class Table {
    readonly length: number
    get(index: number): unknown
    set(index: number, value: unknown): void
    grow(entries: number): number
  }
}
