import type { ExternalCalls } from '../../services/interface/index.ts'
import { noContent, type Route } from '../route.ts'
import { fieldsOf, textOf } from '../wire/fields.ts'
import { solutionPath } from './solutions.ts'

/** The operations of exposed solutions, for programs. Errors are the objects that scripts get. */
export function interfaceCallRoutes(externalCalls: ExternalCalls): Route[] {
  return [
    {
      path: `${solutionPath}/interface/:operation`,
      POST: {
        // What an operation does is not known here: reading alone does not permit it.
        permission: 'Asset Management',
        async act({ principal, params, query, body }) {
          const { subscriber } = fieldsOf('query', query, ['subscriber'])
          const { status, value } = await externalCalls.call({
            businessId: principal.businessId,
            solution: params.solution ?? '',
            operation: params.operation ?? '',
            args: body,
            subscriber: subscriber === undefined ? undefined : textOf('subscriber', subscriber),
          })
          return value === undefined ? noContent() : { status, json: JSON.stringify(value) }
        },
      },
    },
  ]
}
