import type { ShownListing } from './schema.ts'

/**
 * The operations of a module. Only `info`, `insights` and `process` are always there. `init` is
 * called when a business begins to use the module, `gc` when it ends that.
 */
export type ModuleOperation =
  | 'info'
  | 'insights'
  | 'insight'
  | 'lifecycle'
  | 'process'
  | 'init'
  | 'gc'

/** A parameter of an operation that the platform fills. */
export type FilledParameter = {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  /** `business`: the id of the business; else the name of a configuration parameter. */
  readonly from: 'business' | { readonly parameter: string }
}

/** An operation as a definition declares it. */
export type DeclaredOperation = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** From the base of the module; `{solution_id}` stands for the id of the business. */
  readonly path: string
  readonly filled?: readonly FilledParameter[]
}

export type Operations = {
  readonly [Name in 'info' | 'insights' | 'process']: DeclaredOperation
} & {
  readonly [Name in 'insight' | 'lifecycle' | 'init' | 'gc']?: DeclaredOperation
}

/** The authentication of calls; the values are those of the named parameters. */
export type SecurityScheme =
  | { readonly type: 'basic'; readonly user: string; readonly password: string }
  | {
      readonly type: 'apiKey'
      readonly in: 'header' | 'query'
      readonly name: string
      readonly from: string
      /** Before the value, such as `token`; empty if there is none. */
      readonly prefix: string
    }

/** The parts of a definition that calls need. */
export type DefinitionParts = Pick<ShownListing, 'version' | 'parameters' | 'problems'> & {
  readonly operations: Operations
  readonly security: readonly SecurityScheme[]
}

/** The address of a module, and the way it is called. */
export type Listing = DefinitionParts &
  Omit<ShownListing, 'own' | 'publishedBy'> & {
    /** The business that owns it. */
    readonly businessId: string
    /** True if it was made by adding a module by its base; it is removed with its last use. */
    readonly implied: boolean
    /** A user or an API token; empty if unknown. */
    readonly publishedBy: string
  }

/** A module that a business uses. */
export type Use = {
  readonly id: string
  readonly businessId: string
  readonly name: string
  readonly listing: Listing
  /** The sealed values of its parameters; empty if there are none. */
  readonly sealed: string
  /** The origin of its module when they were sealed, if it is not sealed with them. */
  readonly secretsBase: string | null
  /** True if simulations may call it. */
  readonly simulationSafe: boolean
  /** Microseconds. */
  readonly createdAt: number
}
