import { auditEntrySchema } from '../../../accounts/index.ts'
import { limits, StrictObject, Type } from '../../../kernel/index.ts'
import { lists, PageSize } from '../../contract/common.ts'
import { operations } from '../../operation.ts'

function Match(description: string) {
  return Type.Optional(Type.String({ description }))
}

function Milliseconds(description: string) {
  return Type.Optional(Type.Integer({ description, minimum: 0 }))
}

const on = operations('accounts', 'User Management', '/api:1/audit')

export const listAudit = on.get(
  '',
  'List who did what from where, newest first.',
  () => ({
    description:
      'Every call that changes something, also one that was refused; for callers who see the ' +
      'whole business. It is kept for 400 days (`auditDays`). The next page is asked for by ' +
      '`before`, the id of the last entry.',
    query: StrictObject({
      from: Milliseconds('From this time on, in milliseconds since 1970.'),
      to: Milliseconds('Before this time.'),
      subject: Match('The subject, or the name that it had.'),
      source: Match('Such as `console`.'),
      action: Match('Such as `deleteUser`.'),
      outcome: Match('Such as `done` or `forbidden`.'),
      text: Match('A part of the target, whatever the case of its letters.'),
      before: Type.Optional(Type.Integer({ description: 'Before the entry with this id.' })),
      limit: PageSize(limits.pageMax),
    }),
    ...lists('entries', auditEntrySchema, 'The entries.'),
  }),
  ({ accounts }, { principal, query: { limit, ...filter } }) =>
    accounts.listAudit(principal, filter, limit),
)
