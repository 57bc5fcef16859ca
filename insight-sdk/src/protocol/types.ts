/**
 * The wire types of the insight protocol. Field names are those on the wire. Times are integer
 * microseconds since the epoch.
 */

/** Any value that JSON can express. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** A function has at most this many inlets. */
export const inletsMax = 5
/** A function has at most this many outlets. */
export const outletsMax = 5

/** `transform` makes new signals, `rule` makes statuses, `action` acts; its answer is ignored. */
export const functionTypes = ['transform', 'rule', 'action'] as const
export type InsightType = (typeof functionTypes)[number]

export const primitiveTypes = ['NUMERIC', 'STRING', 'BOOLEAN', 'JSON'] as const
export type PrimitiveType = (typeof primitiveTypes)[number]

/** Words in one language; only the fields that the translated thing has. */
export type Translation = {
  readonly name?: string
  readonly description?: string
  /** Outlets only. */
  readonly suggested_name?: string
  /** Constants only; as long as `enum`. */
  readonly enum_presented?: readonly string[]
}

/** Keyed by language code, such as `de`. */
export type Translations = { readonly [language: string]: Translation }

/** The answer of `GET /info`. */
export type InsightInfoResults = {
  /** True when listing functions requires a group_id. */
  readonly group_id_required: boolean
  /** Presented name. */
  readonly name?: string
  /** Markdown allowed. */
  readonly description?: string
  /** True if the module requests lifecycle notifications. Default false. */
  readonly wants_lifecycle_events?: boolean
  readonly translations?: Translations
}

/** The body of `POST /insights`. */
export type InsightsFilterParams = {
  /** Which group of functions to list; `""` when there is none. Its meaning is the module's. */
  readonly group_id: string
  /** At most this many functions; an integer from 0. */
  readonly limit?: number
  /** Skip this many functions; an integer from 0. */
  readonly offset?: number
}

/** The answer of `POST /insights`. */
export type InsightListResults = {
  /** Total number of functions in the group. */
  readonly total: number
  /** Number of functions returned. */
  readonly count: number
  readonly insights: readonly InsightInfo[]
}

/** A function; the answer of `GET /insight/{function_id}`. */
export type InsightInfo = {
  /** Unique in the module. */
  readonly id: string
  /** Human-friendly name. */
  readonly name: string
  /** Text shown to users. */
  readonly description: string
  readonly translations?: Translations
  /** Decides how the function is used and presented. Default `transform`. */
  readonly type?: InsightType
  /** Values that the user gives, passed to the function. */
  readonly constants?: readonly ConstantInfo[]
  /** Largest size of a constant whose `multiple` is true. */
  readonly constants_multiple_maximum?: number
  /** The inputs that can be connected; an unordered set of at most 5. */
  readonly inlets?: readonly SignalTypeInputInfo[]
  /** The outputs; ordered, at most 5. */
  readonly outlets?: readonly SignalTypeOutputInfo[]
  /** Present if the function requires past values with each call; its shape is the module's. */
  readonly history?: JsonValue
}

/** A parameter of `history`: its value, a constant's, or a text with `{{constant}}` in it. */
export type HistoryParameter<Value extends JsonValue = JsonValue> =
  | Value
  | { readonly value: Value }
  | { readonly constant: string }
  | { readonly template: string }

/** The past values that a function requests. */
export type HistoryInfo = {
  /** At most this many of each signal; without it as many as the platform sends. */
  readonly limit?: HistoryParameter<number>
  /** The period back from the newest value: a count with `us`, `ms`, `s`, `m`, `h`, `d` or `w`. */
  readonly relative_start?: HistoryParameter<string>
  /** The signals: `inlets`, `outlets`, or a list of both. Default `inlets`. */
  readonly include_from?: HistoryParameter<string | readonly string[]>
}

/** An InsightInfo after reading: the defaults filled in, never more than the limits allow. */
export type Insight = InsightInfo & {
  readonly type: InsightType
  readonly constants: readonly ConstantInfo[]
  readonly inlets: readonly SignalTypeInputInfo[]
  readonly outlets: readonly SignalTypeOutputInfo[]
}

/** An inlet: the kind of data that can be connected. */
export type SignalTypeInputInfo = {
  readonly name: string
  readonly primitive_type?: PrimitiveType
  /** Required data types; absent means any. */
  readonly data_type?: readonly string[]
  /** Required units; absent means any. */
  readonly data_unit?: readonly string[]
  /** Sent as `tags.inlet` of each SignalData; without it the inlet's index is sent (`"0"`). */
  readonly tag?: string
  readonly description?: string
  readonly translations?: Translations
}

/** An outlet: the kind of data that one output produces. No field is required. */
export type SignalTypeOutputInfo = {
  readonly name?: string
  readonly primitive_type?: PrimitiveType
  readonly data_type?: readonly string[]
  readonly data_unit?: readonly string[]
  readonly description?: string
  /** For signals made from this outlet; `{}` stands for the function's name. */
  readonly suggested_name?: string
  readonly translations?: Translations
}

export type ConstantValue = string | number | boolean

/** A value that the user gives to a function. */
export type ConstantInfo = {
  /** Code identifier; not shown to users. */
  readonly name: string
  readonly type: 'string' | 'number' | 'boolean'
  /** Words for the user. */
  readonly description?: string
  /** Used when the user gives no value. */
  readonly default?: ConstantValue
  /** Allowed values. */
  readonly enum?: readonly ConstantValue[]
  /** Shown in place of the `enum` values; as many as those. */
  readonly enum_presented?: readonly string[]
  /** Largest value, number type only. */
  readonly maximum?: number
  /** Smallest value, number type only. */
  readonly minimum?: number
  /** True: the constant is an array of values. */
  readonly multiple?: boolean
  readonly translations?: Translations
}

/** The body of `POST /lifecycle`. */
export type LifecycleEvent = {
  readonly event: 'create' | 'delete'
  /** The linkage concerned; the `id` of its process calls. */
  readonly id: string
  /** The linkage's arguments; also sent with each process call. */
  readonly args: ProcessArgs
}

/** A value of a signal. */
export type SignalData = {
  /** The time at which the data originated, integer microseconds. */
  readonly ts: number
  /** The spec names string, number and object; the field sends booleans too. */
  readonly value: JsonValue
  /** The original publishing id, at least one character. */
  readonly origin: string
  /** The publishing id that created this SignalData, at least one character. */
  readonly generated: string
  /** The time at which this SignalData was generated, integer microseconds. */
  readonly gts?: number
  /** Tie the data to something. `inlet` names the inlet that it comes in by. */
  readonly tags?: { readonly [tag: string]: string }
  /** Helps to prevent data from cycling for ever. */
  readonly ttl?: number
}

/** The arguments of one linkage. */
export type ProcessArgs = {
  /** The function to run. */
  readonly function_id: string
  /** Its group; absent when there is none, never empty. */
  readonly group_id?: string
  /** The type of the function. */
  readonly type?: InsightType
  /** The name of the linkage. */
  readonly name?: string
  /** The module, as the platform names it. */
  readonly insight_id?: string
  /** The user's values by constant name; an array where the constant is `multiple`. */
  readonly constants: { readonly [name: string]: ConstantValue | readonly ConstantValue[] }
}

/** A past value of a signal. */
export type HistoryPoint = {
  readonly ts: number
  readonly value: JsonValue
  readonly tags?: { readonly [tag: string]: string }
}
/** Past values by signal id, for functions that require them. */
export type History = { readonly [signalId: string]: readonly HistoryPoint[] }

/** The body of the process call. */
export type ProcessRequest = {
  /** The linkage: one instance of the function in an asset's pipeline. */
  readonly id: string
  readonly data: readonly SignalData[]
  readonly args: ProcessArgs
  readonly history?: History
}

/** The answer of the process call: one array an outlet, in outlet order. */
export type ProcessAnswer = readonly (readonly SignalData[])[]

/** The body of every failure of a module. From the process call it stops the pipeline. */
export type ErrorResponse = {
  readonly message: string
  readonly status: number
  readonly name: string
}

/** An entry of `info.x-vendor-config-parameters` in a module's OpenAPI file. */
export type ConfigParameter = {
  readonly name: string
  readonly description: string
  readonly type: string
  /** For example `password`. */
  readonly format?: string
  readonly required?: boolean
}

/** 0 normal, 1 info, 2 warning, 3 critical, 4 error. */
export type StatusLevel = 0 | 1 | 2 | 3 | 4
/** A rule's answer, the `value` of a SignalData. */
export type Status = {
  readonly level: StatusLevel
  readonly type?: string
  /** The kind of statuses that it belongs to; `default` if it is left out. */
  readonly category?: string
  readonly value?: JsonValue
}
