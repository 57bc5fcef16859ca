import { limits, StrictObject, Type } from '../../../kernel/index.ts'
import { component, json, PageSize } from '../common.ts'
import { contract } from '../contract.ts'

const entry = component('AuditEntry', {
  id: Type.Integer(),
  at: Type.Integer({ description: 'Milliseconds since 1970.' }),
  subject: Type.String({ description: '`user:<id>`, `token:<id>` or `operator`.' }),
  name: Type.String({ description: "The user's e-mail address, or the token's name, then." }),
  source: Type.String({ description: '`console`, `cli`, `management` or `graphql`.' }),
  address: Type.String({ description: 'The network address.' }),
  action: Type.String({ description: 'The operation of the API, or the field of a mutation.' }),
  target: Type.String({
    description: 'What the path or the arguments name; of something new, its name.',
  }),
  outcome: Type.String({ description: '`done`, or the code of the error.' }),
})

function Match(description: string) {
  return Type.Optional(Type.String({ description }))
}

function Milliseconds(description: string) {
  return Type.Optional(Type.Integer({ description, minimum: 0 }))
}

export const listAudit = contract(
  {
    id: 'listAudit',
    method: 'GET',
    path: '/api:1/audit',
    permission: 'User Management',
    tag: 'accounts',
    summary: 'List who did what from where, newest first.',
    description:
      'Every call that changes something, also one that was refused; for callers who see the ' +
      'whole business. It is kept for 400 days (`auditDays`). The next page is asked for by ' +
      '`before`, the id of the last entry.',
  },
  () => ({
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
    answers: { 200: json('The entries.', StrictObject({ entries: Type.Array(entry) })) },
  }),
)
