import type { NowUs } from '../clock.ts'
import type { HistoryPoint, ProcessRequest, SignalData } from '../protocol.ts'
import type {
  Changes,
  ConfigurationValues,
  InletDeclaration,
  Inlets,
  OutletDeclaration,
} from './declarations.ts'

/** The context of a call, from the server or the test. */
export type Surroundings = {
  readonly nowUs: NowUs
  /** Receives the problems of functions that declare no outlet for them. */
  readonly onProblem: (message: string) => void
  /** The values of the module's configuration, by name. */
  readonly configuration: ConfigurationValues
  /** The state of a linkage, made at its first call. */
  readonly stateFor: <S>(linkId: string, make: () => S) => S
}

/** A running call: the values received by each inlet, and those sent by each outlet. */
export class Call {
  readonly #request: ProcessRequest
  readonly #inlets: ReadonlyMap<string, InletDeclaration>
  readonly #outlets: readonly (readonly [string, OutletDeclaration])[]
  readonly #byInlet: ReadonlyMap<string, SignalData[]>
  readonly #answer: ReadonlyMap<string, SignalData[]>
  readonly #surroundings: Surroundings

  constructor(
    request: ProcessRequest,
    inlets: Inlets,
    outlets: { readonly [name: string]: OutletDeclaration },
    surroundings: Surroundings,
  ) {
    this.#request = request
    this.#inlets = new Map(Object.entries(inlets))
    this.#byInlet = new Map([...this.#inlets.keys()].map((tag) => [tag, []]))
    this.#outlets = Object.entries(outlets)
    this.#answer = new Map(this.#outlets.map(([name]) => [name, []]))
    this.#surroundings = surroundings
  }

  /** Puts each signal to the inlet that it came in by; the others are problems. */
  sortByInlet(): void {
    if (this.#inlets.size === 0) return
    for (const signal of this.#request.data) {
      const tag = this.#findTag(signal)
      const declared = tag === undefined ? undefined : this.#inlets.get(tag)
      if (tag === undefined || declared === undefined) {
        this.problem(signal, `tag inlet ${JSON.stringify(signal.tags?.inlet)} names no inlet`)
      } else if (isOfType(signal.value, declared.primitive_type)) {
        this.#byInlet.get(tag)?.push(signal)
      } else {
        this.problem(signal, `inlet "${tag}" takes ${declared.primitive_type} only`)
      }
    }
  }

  inlet(tag: string): readonly SignalData[] {
    const signals = this.#byInlet.get(tag)
    if (signals === undefined) throw new Error(`inlet "${tag}" is not declared`)
    return signals
  }

  /** Returns the history of an outlet, oldest first; its tag is the name or the index. */
  earlier(name: string): readonly HistoryPoint[] {
    const index = this.#outlets.findIndex(([declared]) => declared === name)
    if (index < 0) throw new Error(`outlet "${name}" is not declared`)
    return Object.values(this.#request.history ?? {})
      .flat()
      .filter(({ tags }) => tags?.outlet === name || tags?.outlet === String(index))
      .sort((one, other) => one.ts - other.ts)
  }

  emit(name: string, source: SignalData, value: SignalData['value'], changes: Changes = {}): void {
    const values = this.#answer.get(name)
    if (values === undefined) throw new Error(`outlet "${name}" is not declared`)
    if (value === null || (typeof value === 'number' && !Number.isFinite(value))) {
      this.problem(source, `outlet "${name}": ${value} is no value`)
      return
    }
    const { id } = this.#request
    values.push({ ...source, ...changes, value, generated: id, gts: this.#surroundings.nowUs() })
  }

  problem(source: SignalData, message: string): void {
    const outlet = this.#outlets.find(([, declared]) => declared.problems === true)
    if (outlet === undefined) {
      this.#surroundings.onProblem(`linkage ${this.#request.id}: ${message}`)
      return
    }
    this.emit(outlet[0], source, message)
  }

  /** Returns an array for each outlet, in outlet order; `[[]]` if there is no outlet at all. */
  answer(): readonly (readonly SignalData[])[] {
    return this.#answer.size === 0 ? [[]] : [...this.#answer.values()]
  }

  /** The inlet's tag; platforms also send its index, or nothing if there is one inlet only. */
  #findTag(signal: SignalData): string | undefined {
    const tags = [...this.#inlets.keys()]
    const said = signal.tags?.inlet
    if (said === undefined) return tags.length === 1 ? tags[0] : undefined
    return this.#inlets.has(said) ? said : tags[Number(said)]
  }
}

function isOfType(value: unknown, primitiveType: InletDeclaration['primitive_type']): boolean {
  if (primitiveType === 'NUMERIC') return typeof value === 'number'
  if (primitiveType === 'STRING') return typeof value === 'string'
  if (primitiveType === 'BOOLEAN') return typeof value === 'boolean'
  return true
}
