import { deletionSteps } from '../../../deletion/index.ts'
import { StrictObject, Type } from '../../../kernel/index.ts'
import { component, json, Microseconds, OptionalMicroseconds, PathText } from '../common.ts'
import { contract } from '../contract.ts'
import { confirm } from '../schemas/dependants.ts'

const params = StrictObject({
  business: PathText('The id or the name of a business, percent-encoded.'),
})

const deletion = component('BusinessDeletion', {
  id: Type.String(),
  name: Type.String(),
  requested_by: Type.String({ description: '`operator`.' }),
  requested_at: Microseconds(),
  step: Type.Enum(deletionSteps, {
    description: 'Its connectors and solutions end; rows go; caches run out; all is checked; done.',
  }),
  removed: Type.Integer({ description: 'Rows so far, but those of its devices.' }),
  finished_at: OptionalMicroseconds('When nothing was left of it; null: it goes on.'),
})

export const deleteBusiness = contract(
  {
    id: 'deleteBusiness',
    method: 'DELETE',
    path: '/api:1/businesses/:business',
    permission: 'operator',
    tag: 'accounts',
    summary: 'Delete a business with everything that it has.',
    description:
      'Its sessions, API tokens and users end at once, its connectors and solutions before the ' +
      'answer. The rest is removed meanwhile: `getBusinessDeletion` shows how far it is.',
  },
  () => ({
    params,
    query: StrictObject({ confirm }),
    answers: { 202: json('The deletion.', deletion) },
    refuses: ['in_use'],
  }),
)

export const getBusinessDeletion = contract(
  {
    id: 'getBusinessDeletion',
    method: 'GET',
    path: '/api:1/businesses/:business/deletion',
    permission: 'operator',
    tag: 'accounts',
    summary: 'Show how far the deletion of a business is.',
  },
  () => ({ params, answers: { 200: json('The deletion.', deletion) } }),
)
