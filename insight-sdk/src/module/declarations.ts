import type {
  ConstantValue,
  History,
  HistoryInfo,
  HistoryPoint,
  InsightType,
  JsonValue,
  SignalData,
  SignalTypeInputInfo,
  SignalTypeOutputInfo,
  Translations,
} from '../protocol.ts'

type ConstantOf<Type extends string, Value> = {
  readonly type: Type
  /** Words for the user. */
  readonly description?: string
  /** Used when the user gives no value; one value also where `multiple` is true. */
  readonly default?: Value
  readonly enum?: readonly Value[]
  /** Shown in place of the `enum` values; as many as those. */
  readonly enum_presented?: readonly string[]
  /** True: an array of values. */
  readonly multiple?: boolean
  /** True: a call without it is refused. Not on the wire; a default says more to the user. */
  readonly required?: boolean
  readonly translations?: Translations
}

type NumberConstant = ConstantOf<'number', number> & {
  readonly minimum?: number
  readonly maximum?: number
}

/** A constant; its name is the key that it is declared under. */
export type ConstantDeclaration =
  | NumberConstant
  | ConstantOf<'string', string>
  | ConstantOf<'boolean', boolean>

/** An inlet; its tag is the key that it is declared under. */
export type InletDeclaration = Omit<SignalTypeInputInfo, 'tag'>

/** An outlet, in the order of declaration; the key is its name in `emit`. */
export type OutletDeclaration = SignalTypeOutputInfo & {
  /** True: takes what `problem` says. At most one outlet, and never written by `emit`. */
  readonly problems?: boolean
}

export type Constants = { readonly [name: string]: ConstantDeclaration }
export type Inlets = { readonly [tag: string]: InletDeclaration }
export type Outlets = { readonly [name: string]: OutletDeclaration }

type ElementOf<D> = D extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : D extends { readonly type: 'number' }
    ? number
    : D extends { readonly type: 'boolean' }
      ? boolean
      : string

/** The type of one constant in `process`. */
export type ConstantValueOf<D> = D extends { readonly multiple: true }
  ? readonly ElementOf<D>[]
  : D extends { readonly default: JsonValue } | { readonly required: true }
    ? ElementOf<D>
    : ElementOf<D> | undefined

/** The type of all constants in `process`, by name. */
export type ConstantValues<C> = { readonly [Name in keyof C]: ConstantValueOf<C[Name]> }

type PrimitiveOf<D> = D extends { readonly primitive_type: 'NUMERIC' }
  ? number
  : D extends { readonly primitive_type: 'STRING' }
    ? string
    : D extends { readonly primitive_type: 'BOOLEAN' }
      ? boolean
      : JsonValue

/** A value that came in by an inlet, already known to be of the inlet's primitive type. */
export type InletSignal<D> = Omit<SignalData, 'value'> & { readonly value: PrimitiveOf<D> }

/** The options of `emit`. */
export type Changes = Partial<Pick<SignalData, 'ts' | 'tags' | 'ttl'>>

/** The values that the operator of a module gives it, by the names of its `configuration`. */
export type ConfigurationValues = { readonly [name: string]: ConstantValue }

/** An earlier value of an outlet. */
export type EarlierValue<D> = Omit<HistoryPoint, 'value'> & { readonly value: PrimitiveOf<D> }

type ValueOutlet<O> = {
  [Name in keyof O]: O[Name] extends { readonly problems: true } ? never : Name
}[keyof O]

/** The argument of `process`: one call of one linkage. */
export type Context<C, I, O, S> = {
  /** The linkage: one instance of the function in an asset's pipeline. */
  readonly id: string
  /** `""` when there is none. */
  readonly groupId: string
  readonly constants: ConstantValues<C>
  /** The linkage's state between calls; made by `state`, changed in place. */
  readonly state: S
  /** Past values by signal id; empty unless the function asks for `history`. */
  readonly history: History
  /** The values of the module's `configuration`, as the program that serves it gives them. */
  readonly configuration: ConfigurationValues
  /** All that came, in order, whatever the inlet and the type of value. */
  readonly signals: readonly SignalData[]
  /** The data of one inlet, in order. A value of another type is a problem, and left out. */
  inlet<Tag extends keyof I & string>(tag: Tag): readonly InletSignal<I[Tag]>[]
  /**
   * The earlier values of an outlet, oldest first, as far as the platform sends them in `history`;
   * none unless the function asks for them by `history: { include_from: ['inlets', 'outlets'] }`.
   */
  earlier<Name extends keyof O & string>(outlet: Name): readonly EarlierValue<O[Name]>[]
  /**
   * Says a value at an outlet. All fields of the source are copied; `value`, `generated` and
   * `gts` are new. A number that is not finite is a problem instead.
   */
  emit<Name extends ValueOutlet<O> & string>(
    outlet: Name,
    source: SignalData,
    value: Exclude<PrimitiveOf<O[Name]>, null>,
    changes?: Changes,
  ): void
  /** Says what went wrong with a source at the outlet for problems; the call goes on. */
  problem(source: SignalData, message: string): void
}

/** A function as its author writes it. */
export type FunctionDefinition<C, I, O, S> = {
  /** Unique in the module; stays for ever, since linkages name it. */
  readonly id: string
  readonly name: string
  readonly description: string
  /** Default `transform`. */
  readonly type?: InsightType
  readonly translations?: Translations
  /** The groups that list it; absent means every group. */
  readonly groups?: readonly string[]
  readonly constants?: C
  /** Largest size of a constant whose `multiple` is true. */
  readonly constants_multiple_maximum?: number
  readonly inlets?: I
  readonly outlets?: O
  /** Present: the platform is asked for past values. */
  readonly history?: HistoryInfo
  /** Returns a new linkage's state. The module then gets an event when a linkage is removed. */
  readonly state?: () => S
  /** Runs one call. An error stops the pipeline; use `problem` where it need not. */
  process(context: Context<C, I, O, S>): void | Promise<void>
}
