import { List } from '@mantine/core'
import type { Dependants } from '../../api/people/people.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  none: ['Nothing depends on it.', 'Nichts hängt daran.'],
  deleted: ['is deleted with it', 'wird mit gelöscht'],
  moved: ['moves to the group above', 'kommt in die Gruppe darüber'],
  kept: ['is kept', 'bleibt'],
  blocks: ['must be removed first', 'muss vorher entfernt werden'],
  more: (count: number) => [`and ${count} more`, `und ${count} weitere`],
  users: ['Users', 'Benutzer'],
  sessions: ['Sessions', 'Sitzungen'],
  api_tokens: ['API tokens', 'API-Tokens'],
  invitations: ['Invitations', 'Einladungen'],
  connectors: ['Connectors', 'Konnektoren'],
  values: ['Values', 'Werte'],
  contents: ['Contents', 'Inhalte'],
  solutions: ['Solutions', 'Lösungen'],
  services: ['Services', 'Dienste'],
  modules: ['Modules', 'Module'],
  links: ['Functions', 'Funktionen'],
  listings: ['Listings', 'Angebote'],
  policies: ['Policies', 'Richtlinien'],
  work_instructions: ['Work instructions', 'Arbeitsanweisungen'],
  reports: ['Reports', 'Berichte'],
  dashboards: ['Dashboards', 'Dashboards'],
  service_users: ['Users of the solution', 'Benutzer der Lösung'],
  bindings: ['Bindings', 'Bindungen'],
  keys: ['Keys', 'Schlüssel'],
  timers: ['Timers', 'Timer'],
  series: ['Time series', 'Zeitreihen'],
  failures: ['Failures', 'Fehler'],
})

/** The dependants of something that is to be deleted, with their names and what becomes of them. */
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
