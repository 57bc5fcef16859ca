import { StrictObject } from '../../../../foundation/kernel/index.ts'
import { businessDeletionSchema } from '../../../deletion/index.ts'
import { confirm, json, shows } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const on = operations('accounts', 'operator', '/api:1/businesses/:business')

export const deleteBusiness = on.remove(
  '',
  'Delete a business with everything that it has.',
  () => ({
    description:
      'Its sessions, API tokens and users end at once, its connectors and solutions before the ' +
      'answer. The rest is removed meanwhile: `getBusinessDeletion` shows how far it is.',
    query: StrictObject({ confirm }),
    answers: { 202: json('The deletion.', businessDeletionSchema) },
    refuses: ['in_use'],
  }),
  async ({ deletion }, { subject, params, query }) => {
    const asked = { by: subject, confirm: query.confirm }
    return deletion.removeBusiness(params.business, asked)
  },
)

export const getBusinessDeletion = on.get(
  '/deletion',
  'Show how far the deletion of a business is.',
  () => shows('The deletion.', businessDeletionSchema),
  ({ deletion }, { params }) => deletion.progress(params.business),
)
