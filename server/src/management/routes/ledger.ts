import type { EventLog, HourCounts, Verdict } from '../../eventlog/index.ts'
import { limits } from '../../kernel/index.ts'
import { ok, type Route } from '../route.ts'
import { fieldsOf, invalid } from '../wire/fields.ts'
import { wholeNumber } from '../wire/identity.ts'

/** Whether every message of the instance is accounted for, and what each hour brought. */
export function ledgerRoutes({ ledger }: Pick<EventLog, 'ledger'>): Route[] {
  const verify = oneAtATime<Verdict>(() => ledger.verify())
  return [
    {
      path: '/api:1/ledger',
      GET: {
        permission: 'Setup',
        async act({ query }) {
          const hoursAsked = parseHours(query)
          const verdict = await verify()
          const hours: HourCounts[] = await ledger.hours(hoursAsked)
          return ok({ ...verdict, hours })
        },
      },
    },
  ]
}

function parseHours(query: Readonly<Record<string, unknown>>): number {
  const { limit = limits.pageDefault } = fieldsOf('query', query, ['limit'])
  const hours = wholeNumber(limit)
  const { ledgerHoursMax: max } = limits
  if (typeof hours === 'number' && hours >= 1 && hours <= max) return hours
  throw invalid('limit', `must be a whole number from 1 to ${max}`)
}

/** The proof counts the whole log: however many ask, one is under way. */
function oneAtATime<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let underWay: Promise<Result> | undefined
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}
