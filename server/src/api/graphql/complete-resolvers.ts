import type { Resolvers, ResolversParentTypes, Scalars } from './generated/resolvers.ts'

/** The fields of `Subscription` have sources, not resolvers. */
type ObjectType = Exclude<keyof Resolvers, keyof Scalars | 'Subscription'>
/** The fields of a type; the union resolves the type of its members. */
type Fields<Type extends ObjectType> = Omit<NonNullable<Resolvers[Type]>, '__isTypeOf'>

/** The value of a field as its resolver may return it. */
type ResultOf<Field> = Field extends (...args: never[]) => infer Result ? Awaited<Result> : never

/** True if the row has the field as a property of the right type. The roots have no row. */
type IsHeld<Row, Name, Result> = Name extends keyof Row
  ? [Row[Name]] extends [never]
    ? false
    : [Row[Name]] extends [Result]
      ? true
      : false
  : false

type Needed<Type extends ObjectType> = {
  readonly [Name in keyof Fields<Type> as IsHeld<
    ResolversParentTypes[Type],
    Name,
    ResultOf<NonNullable<Fields<Type>[Name]>>
  > extends true
    ? never
    : Name]-?: NonNullable<Fields<Type>[Name]>
}

/**
 * The resolvers of the whole schema. A field is read from the row above it, so it may be left out
 * only where the row has it by that name and with its type; the generated types alone would let
 * every field be left out.
 */
export type CompleteResolvers = Resolvers & {
  readonly [Type in ObjectType as keyof Needed<Type> extends never ? never : Type]: Needed<Type>
}
