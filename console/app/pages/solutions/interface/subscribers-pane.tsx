import { useState } from 'react'
import { listSubscribers, type Subscriber } from '../../../api/interfaces.ts'
import { Action } from '../../../components/controls/action.tsx'
import { Faint } from '../../../components/line.tsx'
import { Pane } from '../../../components/pane.tsx'
import { List } from '../../../components/table/list.tsx'
import { useRead } from '../../../ui/live-queries.ts'
import { defineTexts, useLanguage, useTexts } from '../../../ui/texts.ts'
import { QuotaDialog } from './quota-dialog.tsx'

const texts = defineTexts({
  title: ['Subscribers', 'Abonnenten'],
  none: ['No solution uses it yet.', 'Noch nutzt sie keine Lösung.'],
  solution: ['Solution', 'Lösung'],
  day: ['Calls today', 'Aufrufe heute'],
  month: ['Calls this month', 'Aufrufe im Monat'],
  since: ['Since', 'Seit'],
  quota: (id: string) => [`Change the quota of ${id}`, `Kontingent von ${id} ändern`],
  of: (used: string, most: string) => [`${used} of ${most}`, `${used} von ${most}`],
  total: (count: number) => [`${count} in all`, `${count} insgesamt`],
})

const subscribersShown = 100

/** The solutions that use what a solution offers, with their quotas. */
export function SubscribersPane({ solution }: { readonly solution: string }) {
  const t = useTexts(texts)
  const language = useLanguage()
  const [edited, setEdited] = useState<Subscriber>()
  const subscribers = useRead('subscribers', listSubscribers, [
    solution,
    { limit: subscribersShown },
  ])
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
        {({ items }) => (
          <List
            items={items}
            itemKey={({ id }) => id}
            none={t.none}
            columns={[
              [t.solution, (one) => one.solution_id],
              [t.day, ({ used, quota }) => calls(used.calls_daily, quota.calls_daily)],
              [t.month, ({ used, quota }) => calls(used.calls_monthly, quota.calls_monthly)],
              [t.since, (one) => new Date(one.created_at).toLocaleDateString(language)],
              [
                t.change,
                (one) => (
                  <Action
                    text={t.change}
                    small
                    aria-label={t.quota(one.solution_id)}
                    onClick={() => setEdited(one)}
                  />
                ),
              ],
            ]}
          />
        )}
      </Pane>
      {edited !== undefined && (
        <QuotaDialog {...{ solution }} subscriber={edited} onClose={() => setEdited(undefined)} />
      )}
    </>
  )
}
