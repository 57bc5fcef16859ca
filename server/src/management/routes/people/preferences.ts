import type { Accounts } from '../../../accounts/index.ts'
import { dataTypeOf } from '../../../assets/index.ts'
import { invalidField } from '../../../kernel/index.ts'
import { changePreferences, getPreferences } from '../../contract/people/preferences.ts'
import { ok, type Route, route } from '../../route.ts'

/** What a user wants to see in each of the own browsers. */
export function preferenceRoutes(
  accounts: Pick<Accounts, 'preferredUnits' | 'preferUnits'>,
): Route[] {
  return [
    route(getPreferences, async ({ principal }) =>
      ok(shown(await accounts.preferredUnits(principal))),
    ),
    route(changePreferences, async ({ principal, body }) => {
      const change = new Map(
        Object.entries(body.units).map(([name, units]) => [typeNamed(name), units] as const),
      )
      return ok(shown(await accounts.preferUnits(principal, change)))
    }),
  ]
}

function shown(preferred: Awaited<ReturnType<Accounts['preferredUnits']>>) {
  return { units: Object.fromEntries(preferred.map(({ dataType, units }) => [dataType, units])) }
}

/** An alias is the type that it stands for. */
function typeNamed(name: string): string {
  const type = dataTypeOf(name)
  if (type === undefined) throw invalidField(`units.${name}`, 'is no type of data of the catalogue')
  return type.id
}
