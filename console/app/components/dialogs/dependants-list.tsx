import { List } from '@mantine/core'
import type { Dependants } from '../../api/people/people.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts(
  {
    none: 'Nothing depends on it.',
    deleted: 'is deleted with it',
    moved: 'moves to the group above',
    kept: 'is kept',
    blocks: 'must be removed first',
    more: (count: number) => `and ${count} more`,
    users: 'Users',
    sessions: 'Sessions',
    api_tokens: 'API tokens',
    invitations: 'Invitations',
    groups: 'Groups',
    connectors: 'Connectors',
    devices: 'Devices',
    values: 'Values',
    contents: 'Contents',
    solutions: 'Solutions',
    services: 'Services',
    assets: 'Assets',
    signals: 'Signals',
    modules: 'Modules',
    links: 'Functions',
    listings: 'Listings',
    policies: 'Policies',
    work_instructions: 'Work instructions',
    reports: 'Reports',
    dashboards: 'Dashboards',
    service_users: 'Users of the solution',
    bindings: 'Bindings',
    keys: 'Keys',
    timers: 'Timers',
    series: 'Time series',
    failures: 'Failures',
  },
  {
    de: {
      none: 'Nichts hängt daran.',
      deleted: 'wird mit gelöscht',
      moved: 'kommt in die Gruppe darüber',
      kept: 'bleibt',
      blocks: 'muss vorher entfernt werden',
      more: (count: number) => `und ${count} weitere`,
      users: 'Benutzer',
      sessions: 'Sitzungen',
      api_tokens: 'API-Tokens',
      invitations: 'Einladungen',
      groups: 'Gruppen',
      connectors: 'Konnektoren',
      devices: 'Geräte',
      values: 'Werte',
      contents: 'Inhalte',
      solutions: 'Lösungen',
      services: 'Dienste',
      assets: 'Anlagen',
      signals: 'Signale',
      modules: 'Module',
      links: 'Funktionen',
      listings: 'Angebote',
      policies: 'Richtlinien',
      work_instructions: 'Arbeitsanweisungen',
      reports: 'Berichte',
      dashboards: 'Dashboards',
      service_users: 'Benutzer der Lösung',
      bindings: 'Bindungen',
      keys: 'Schlüssel',
      timers: 'Timer',
      series: 'Zeitreihen',
      failures: 'Fehler',
    },
  },
)

/** What depends on something that is to be deleted, with its names and what becomes of it. */
export function DependantsList({ dependants }: { readonly dependants: readonly Dependants[] }) {
  const t = useTexts(texts)
  if (dependants.length === 0) return <p>{t.none}</p>
  return (
    <List size="sm" my="xs">
      {dependants.map(({ kind, effect, count, names }) => (
        <List.Item key={kind} style={{ overflowWrap: 'anywhere' }}>
          {t[kind]} ({count}): {names.join(', ')}
          {names.length > 0 && count > names.length && ` ${t.more(count - names.length)}`}
          {names.length > 0 && ' – '}
          {t[effect]}
        </List.Item>
      ))}
    </List>
  )
}
