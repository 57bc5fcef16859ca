import { dependantEffects, dependantKinds, limits, Type } from '../../../kernel/index.ts'
import { component, json } from '../common.ts'

const dependants = component('Dependants', {
  kind: Type.Enum(dependantKinds),
  effect: Type.Enum(dependantEffects, {
    description:
      '`deleted`: it goes, too; `moved`: to the parent group; `kept`: it stays, and does ' +
      'without; `blocks`: it has to be changed first.',
  }),
  count: Type.Integer(),
  names: Type.Array(Type.String(), {
    description: `Of some, in their order: at most ${limits.dependantsNamedMax}.`,
  }),
})

/** What every preview of a deletion answers. */
export const preview = json(
  'What depends on it; kinds of which there is nothing are left out.',
  component('DeletionPreview', {
    id: Type.String(),
    name: Type.String({ description: 'By it, or by the id, the deletion is confirmed.' }),
    dependants: Type.Array(dependants),
  }),
)

/** The query of a deletion that has to be confirmed if anything depends on it. */
export const confirm = Type.Optional(
  Type.String({
    description:
      'The name or the id of what is deleted: needed if anything depends on it, which the ' +
      'refusal names.',
  }),
)
