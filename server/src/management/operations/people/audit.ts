import { auditEntrySchema, auditFilterSchema } from '../../../accounts/index.ts'
import { limits, StrictObject } from '../../../kernel/index.ts'
import { lists, PageSize } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

const on = operations('accounts', 'User Management', '/api:1/audit')

export const listAudit = on.get(
  '',
  'List who did what from where, newest first.',
  () => ({
    description:
      'Every call that changes something, also one that was refused; for callers who see the ' +
      'whole business. It is kept for 400 days (`auditDays`). The next page is asked for by ' +
      '`before`, the id of the last entry.',
    query: StrictObject({ ...auditFilterSchema.properties, limit: PageSize(limits.pageMax) }),
    ...lists('entries', auditEntrySchema, 'The entries.'),
  }),
  ({ accounts }, { principal, query: { limit, ...filter } }) =>
    accounts.listAudit(principal, filter, limit),
)
