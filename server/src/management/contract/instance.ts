import { type ProcessRole, processRoles, StrictObject, Type } from '../../kernel/index.ts'
import { json } from './common.ts'
import { contract } from './contract.ts'

export const getOpenApi = contract(
  {
    id: 'getOpenApi',
    method: 'GET',
    path: '/api:1/openapi.json',
    permission: 'none',
    tag: 'instance',
    summary: 'Show the OpenAPI document of this API.',
  },
  () => ({
    answers: {
      200: json('The document.', Type.Object({}, { description: 'OpenAPI 3.1.' })),
    },
  }),
)

const roles = Type.Array(Type.Unsafe<ProcessRole>({ enum: processRoles }), {
  description: 'The roles of the process that answers.',
})

export const getHealth = contract(
  {
    id: 'getHealth',
    method: 'GET',
    path: '/healthz',
    permission: 'none',
    tag: 'instance',
    summary: 'Tell whether the instance works: the database answers and takes writes.',
  },
  () => ({
    answers: { 200: json('It works.', StrictObject({ status: Type.Literal('ok'), roles })) },
    refuses: ['log_unavailable'],
  }),
)
