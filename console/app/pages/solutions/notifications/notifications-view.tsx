import { Stack } from '@mantine/core'
import { listArrivals, type Solution } from '../../../api/notifications.ts'
import { ArrivalList } from '../../../components/arrival-list.tsx'
import { Faint } from '../../../components/line.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { Pane } from '../../../components/pane.tsx'
import { useRead } from '../../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { BindingsPane } from './bindings-pane.tsx'
import { ChannelsPane } from './channels-pane.tsx'
import { PreviewPane } from './preview-pane.tsx'
import { SendsPanes } from './sends-panes.tsx'

const texts = defineTexts({
  title: ['Local sink', 'Lokale Senke'],
  none: (name: string) => [
    `Nothing has arrived here. What ${name} sends over a channel that has no provider ` +
      'is shown here, as its provider would have been given it.',
    `Hier ist nichts angekommen. Was ${name} über einen Kanal ohne Anbieter sendet, ` +
      'steht hier, wie der Anbieter es bekommen hätte.',
  ],
  newest: (count: number) => [`the newest ${count}`, `die neuesten ${count}`],
})

const arrivalsShown = 50

/** The notifications of a solution, a preview, the state of its channels, and the local sink. */
export function NotificationsView({ solution }: { readonly solution: Solution }) {
  return (
    <Stack gap="sm">
      <SendsPanes solution={solution} />
      <BindingsPane solution={solution.id} />
      <PreviewPane solution={solution.id} />
      <ChannelsPane solution={solution.id} />
      <SinkPane solution={solution} />
    </Stack>
  )
}

/** The messages of channels without a provider. */
function SinkPane({ solution }: { readonly solution: Solution }) {
  const t = useTexts(texts)
  const arrivals = useRead('arrivals', listArrivals, [solution.id, { limit: arrivalsShown }])
  const count = arrivals.data?.length
  return (
    <Pane
      title={t.title}
      query={arrivals}
      aside={
        count !== undefined && <Faint>{count === arrivalsShown ? t.newest(count) : count}</Faint>
      }
    >
      {(found) =>
        found.length === 0 ? (
          <NextStep>{t.none(solution.name)}</NextStep>
        ) : (
          <ArrivalList arrivals={found} />
        )
      }
    </Pane>
  )
}
