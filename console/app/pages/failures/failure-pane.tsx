import { Group, Text } from '@mantine/core'
import {
  discardFailure,
  type Failure,
  readFailure,
  retryFailure,
  type Stage,
} from '../../api/failures.ts'
import { Age } from '../../components/age.tsx'
import { Facts } from '../../components/controls/facts.tsx'
import { PageLink } from '../../components/controls/page-link.tsx'
import { AskedAction } from '../../components/dialogs/confirm.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Pane } from '../../components/pane.tsx'
import { useChange } from '../../ui/change.ts'
import { hasCode } from '../../ui/errors.ts'
import { useLive } from '../../ui/live-queries.ts'
import { useTexts } from '../../ui/texts.ts'
import { CallLines } from './call-lines.tsx'
import { type Retried, RetryForm } from './retry-form.tsx'
import { texts } from './texts.ts'

type Props = {
  readonly stage: Stage
  readonly id: string
  /** @param wasSent false: it was discarded. */
  readonly onDone: (wasSent: boolean) => void
}

/** A failure: its reason, what it is about, its input, and what is done about it. */
export function FailurePane({ stage, id, onDone }: Props) {
  const t = useTexts(texts)
  const failure = useLive(['failures', stage, id, 'one'], (client, signal) =>
    readFailure(client, stage, id, signal),
  )
  // Here, for the form is left when the failure is gone.
  const retry = useChange<Retried>((client, { input }) =>
    retryFailure(client, stage, id, input === undefined ? {} : { input }),
  )
  if (hasCode(failure.error, 'not_found')) return <NextStep>{t.gone}</NextStep>
  return (
    <Pane title={t[stage]} query={failure}>
      {(found) => (
        <>
          <FailureFacts failure={found} />
          {found.final !== null && (
            <Text size="sm" mb="xs">
              {t.final} {found.final}
            </Text>
          )}
          <RetryForm failure={found} retry={retry} onSent={() => onDone(true)}>
            <AskedAction
              title={t.discardTitle}
              action={t.discard}
              loss={t.discardLoss}
              work={(client) => discardFailure(client, stage, id).then(() => onDone(false))}
            />
          </RetryForm>
          {found.about.solution !== undefined && found.tracking_id !== null && (
            <CallLines solution={found.about.solution} trackingId={found.tracking_id} />
          )}
        </>
      )}
    </Pane>
  )
}

function FailureFacts({ failure }: { readonly failure: Failure }) {
  const t = useTexts(texts)
  const { reason, code, tries, tracking_id: trackingId, created_at: createdAt } = failure
  return (
    <Facts
      facts={[
        [t.reason, reason, true],
        [t.about, <About key="about" failure={failure} />, true],
        [t.failed, <Age key="failed" at={failure.failed_at} />],
        createdAt !== null && [t.created, <Age key="created" at={createdAt} />],
        [t.tries, tries],
        code !== null && [t.code, code],
        trackingId !== null && [t.trackingId, trackingId],
      ]}
    />
  )
}

/** Links to the device, the asset and the solution; the rest as text. */
function About({ failure: { about } }: { readonly failure: Failure }) {
  const { connector, device, asset, solution } = about
  const { link_name: link, service, event, notification, channel, address } = about
  const to = (...parts: readonly string[]) => `/${parts.map(encodeURIComponent).join('/')}`
  const links = [
    connector !== undefined &&
      device !== undefined && { text: device, to: to('connectors', connector, 'devices', device) },
    asset !== undefined && { text: asset, to: to('assets', asset) },
    solution !== undefined && { text: solution, to: to('solutions', solution) },
  ].filter((one) => one !== false)
  const rest = [link, service, event, notification, channel, address]
  return (
    <Group gap="xs">
      {links.map((one) => (
        <PageLink key={one.to} to={one.to} underline="always" text={one.text} />
      ))}
      <span>{rest.filter((part) => part !== undefined).join(' · ')}</span>
    </Group>
  )
}
