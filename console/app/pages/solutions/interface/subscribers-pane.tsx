import { Button } from '@mantine/core'
import { useState } from 'react'
import { listSubscribers, type Subscriber } from '../../../api/interfaces.ts'
import { Faint } from '../../../components/line.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { Pane } from '../../../components/pane.tsx'
import { Table } from '../../../components/table/table.tsx'
import { listEveryMs, useLive } from '../../../ui/live.ts'
import { defineTexts, useLanguage, useTexts } from '../../../ui/texts.ts'
import { QuotaDialog } from './quota-dialog.tsx'

const texts = defineTexts({
  title: ['Subscribers', 'Abonnenten'],
  none: ['No solution uses it yet.', 'Noch nutzt sie keine Lösung.'],
  solution: ['Solution', 'Lösung'],
  day: ['Calls today', 'Aufrufe heute'],
  month: ['Calls this month', 'Aufrufe im Monat'],
  since: ['Since', 'Seit'],
  change: ['Change', 'Ändern'],
  quota: (id: string) => [`Change the quota of ${id}`, `Kontingent von ${id} ändern`],
  of: (used: string, most: string) => [`${used} of ${most}`, `${used} von ${most}`],
  total: (count: number) => [`${count} in all`, `${count} insgesamt`],
})

/** The solutions that use what a solution offers, with their quotas. */
export function SubscribersPane({ solution }: { readonly solution: string }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const [edited, setEdited] = useState<Subscriber>()
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
    <>
      <Pane
        title={t.title}
        query={subscribers}
        aside={total > 0 && <Faint inline>{t.total(total)}</Faint>}
      >
        {({ items }) =>
          items.length === 0 ? (
            <NextStep>{t.none}</NextStep>
          ) : (
            <Table heads={[t.solution, t.day, t.month, t.since, t.change]} narrow="stacked">
              {items.map((one) => (
                <tr key={one.id}>
                  <td>{one.solution_id}</td>
                  <td data-label={t.day}>{calls(one.used.calls_daily, one.quota.calls_daily)}</td>
                  <td data-label={t.month}>
                    {calls(one.used.calls_monthly, one.quota.calls_monthly)}
                  </td>
                  <td data-label={t.since}>
                    {new Date(one.created_at).toLocaleDateString(language)}
                  </td>
                  <td>
                    <Button
                      variant="default"
                      size="compact-xs"
                      aria-label={t.quota(one.solution_id)}
                      onClick={() => setEdited(one)}
                    >
                      {t.change}
                    </Button>
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Pane>
      {edited !== undefined && (
        <QuotaDialog {...{ solution }} subscriber={edited} onClose={() => setEdited(undefined)} />
      )}
    </>
  )
}
