import { listSubscribers } from '../../../api/interfaces.ts'
import { Faint } from '../../../components/line.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { Pane } from '../../../components/pane.tsx'
import { Table } from '../../../components/table.tsx'
import { listEveryMs, useLive } from '../../../ui/live.ts'
import { defineTexts, useLanguage, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts(
  {
    title: 'Subscribers',
    none: 'No solution uses it yet.',
    solution: 'Solution',
    day: 'Calls today',
    month: 'Calls this month',
    since: 'Since',
    of: (used: string, most: string) => `${used} of ${most}`,
    total: (count: number) => `${count} in all`,
  },
  {
    de: {
      title: 'Abonnenten',
      none: 'Noch nutzt sie keine Lösung.',
      solution: 'Lösung',
      day: 'Aufrufe heute',
      month: 'Aufrufe im Monat',
      since: 'Seit',
      of: (used: string, most: string) => `${used} von ${most}`,
      total: (count: number) => `${count} insgesamt`,
    },
  },
)

/** The solutions that use what a solution offers, with their quotas. */
export function SubscribersPane({ solution }: { readonly solution: string }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const subscribers = useLive({
    key: ['subscribers', solution],
    read: (client, signal) => listSubscribers(client, solution, signal),
    everyMs: listEveryMs,
  })
  const total = subscribers.data?.total ?? 0
  const calls = (used: number, most: number | undefined) => {
    const text = used.toLocaleString(language)
    return most === undefined ? text : t.of(text, most.toLocaleString(language))
  }
  return (
    <Pane
      title={t.title}
      query={subscribers}
      aside={total > 0 && <Faint inline>{t.total(total)}</Faint>}
    >
      {({ items }) =>
        items.length === 0 ? (
          <NextStep>{t.none}</NextStep>
        ) : (
          <Table heads={[t.solution, t.day, t.month, t.since]} narrow="stacked">
            {items.map(({ id, solution_id: user, quota, used, created_at: since }) => (
              <tr key={id}>
                <td>{user}</td>
                <td data-label={t.day}>{calls(used.calls_daily, quota.calls_daily)}</td>
                <td data-label={t.month}>{calls(used.calls_monthly, quota.calls_monthly)}</td>
                <td>{new Date(since).toLocaleDateString(language)}</td>
              </tr>
            ))}
          </Table>
        )
      }
    </Pane>
  )
}
