/** A limit's default, and whether an operator can set it. */
export type LimitDefinition =
  | {
      readonly kind: 'settable'
      readonly value: number
      readonly lowest: number
      readonly highest: number
    }
  | { readonly kind: keyof typeof fixedReasons; readonly value: number }

/** The reasons for which a limit is not settable, by kind. */
export const fixedReasons = {
  internal: 'it is tuned together with the program',
  standard: 'a standard or a provider sets it',
  stored: 'stored data depend on it',
  guard: 'it bounds the work that one input can cause',
} as const

/** A limit that an operator can set, within bounds that keep the platform safe. */
export function settable(value: number, lowest: number, highest: number): LimitDefinition {
  return { kind: 'settable', value, lowest, highest }
}

export function standard(value: number): LimitDefinition {
  return { kind: 'standard', value }
}

export function stored(value: number): LimitDefinition {
  return { kind: 'stored', value }
}

export function guard(value: number): LimitDefinition {
  return { kind: 'guard', value }
}
