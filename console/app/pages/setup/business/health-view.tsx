import { Code, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { type Stage, stages } from '../../../api/failures.ts'
import { type Health, readHealth } from '../../../api/setup/health.ts'
import { Badge } from '../../../components/badge.tsx'
import { Facts } from '../../../components/controls/facts.tsx'
import { PageLink } from '../../../components/controls/page-link.tsx'
import { Part } from '../../../components/controls/part.tsx'
import { CopyText } from '../../../components/copy-text.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { Pane } from '../../../components/pane.tsx'
import { List, Named } from '../../../components/table/list.tsx'
import { useTimed } from '../../../ui/clock.ts'
import { listEveryMs, useLive } from '../../../ui/live-queries.ts'
import { useLanguage, useTexts } from '../../../ui/texts.ts'
import { moment } from '../../../ui/words.ts'
import { texts as failureTexts } from '../../failures/texts.ts'
import { healthTexts } from './health-texts.ts'

const backupPage = 'docs/operating/backup.md'

/** The health of the instance, as far as a business may read it, and of the business itself. */
export function HealthView() {
  const t = useTexts(healthTexts)
  const health = useLive(['health'], readHealth, { everyMs: listEveryMs * 5 })
  const { data } = health
  return (
    <Stack gap="md">
      <Pane title={t.instance} query={health}>
        {(found) => <Instance instance={found.instance} />}
      </Pane>
      {data !== undefined && (
        <>
          <Work health={data} />
          <Modules modules={data.modules} />
          <Certificates certificates={data.certificates} />
        </>
      )}
      <Part title={t.backup}>
        <CopyText label={t.command} text="npx millrace backup backup.tar" />
        <Hint>
          {t.backupHint} <Code>{backupPage}</Code>. {t.notKnown}
        </Hint>
      </Part>
    </Stack>
  )
}

function Hint({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {children}
    </Text>
  )
}

function Instance({ instance }: Pick<Health, 'instance'>) {
  const t = useTexts(healthTexts)
  const { version, ready, reason } = instance
  const state = ready ? (
    <Badge tone="good" icon="check" text={t.ready} />
  ) : (
    <Line>
      <Badge tone="bad" icon="stop" text={t.unready} />
      <span>{reason}</span>
    </Line>
  )
  return (
    <>
      <Facts
        layout="lines"
        facts={[
          [t.version, version],
          [t.state, state],
        ]}
      />
      {ready && <Hint>{t.readyHint}</Hint>}
    </>
  )
}

/** The waiting calls, by the stage at which they are found if they fail. */
const waits: Partial<Record<Stage, keyof Health['waiting']['stages']>> = {
  'functions.calls': 'functions.runs',
  deliveries: 'deliveries',
}

function Work({ health: { waiting, failed } }: { readonly health: Health }) {
  const t = useTexts(healthTexts)
  const names = useTexts(failureTexts)
  const language = useLanguage()
  const shown = (count: number, most: number) => {
    const number = count.toLocaleString(language)
    return count < most ? number : t.orMore(number)
  }
  return (
    <Part title={t.work}>
      <List
        items={stages}
        itemKey={(stage) => stage}
        columns={[
          [t.stage, (stage) => names[stage]],
          [
            t.waiting,
            (stage) => {
              const at = waits[stage]
              if (at === undefined) return <Faint inline>{t.notCounted}</Faint>
              return shown(waiting.stages[at], waiting.most)
            },
          ],
          [
            t.failed,
            (stage) => {
              const count = failed.stages[stage]
              if (count === 0) return t.failedCount('0')
              const text = t.failedCount(shown(count, failed.most))
              return <PageLink to="/failures/{-$of}/{-$id}" search={{ stage }} text={text} />
            },
          ],
        ]}
      />
      <Hint>
        {t.failedHint} {t.waitingHint}
      </Hint>
    </Part>
  )
}

function Modules({ modules }: Pick<Health, 'modules'>) {
  const t = useTexts(healthTexts)
  const language = useLanguage()
  if (modules.length === 0) return <EmptyPart title={t.modules} hint={t.noModules} />
  return (
    <Part title={t.modules}>
      <List
        items={modules}
        itemKey={({ id }) => id}
        columns={[
          [
            t.module,
            ({ id, name }) => (
              <PageLink to="/marketplace/modules/$module" params={{ module: id }} text={name} />
            ),
          ],
          [t.calls, (one) => <Calls {...one} />],
          [t.inRow, (one) => `${one.failures_in_row.toLocaleString(language)} ×`],
        ]}
      />
      <Hint>{t.modulesHint}</Hint>
    </Part>
  )
}

function EmptyPart({ title, hint }: { readonly title: string; readonly hint: string }) {
  return (
    <Part title={title}>
      <Hint>{hint}</Hint>
    </Part>
  )
}

function Calls(module: Health['modules'][number]) {
  const t = useTexts(healthTexts)
  return (
    <>
      {module.failures_in_row === 0 ? (
        <Badge tone="good" icon="check" text={t.noFailure} />
      ) : (
        <Badge tone="bad" icon="stop" text={t.failing} />
      )}
      {module.rests_until !== null && <Faint>{t.resting(moment(module.rests_until))}</Faint>}
      {module.last_failure !== null && <Faint>{module.last_failure}</Faint>}
    </>
  )
}

function Certificates({ certificates }: Pick<Health, 'certificates'>) {
  const t = useTexts(healthTexts)
  if (certificates.length === 0) {
    return <EmptyPart title={t.certificates} hint={t.noCertificates} />
  }
  return (
    <Part title={t.certificates}>
      <List
        items={certificates}
        itemKey={({ connector, kind }) => `${connector} ${kind}`}
        columns={[
          [
            t.connector,
            ({ connector, name }) => (
              <PageLink
                to="/connectors/$connector/{-$view}"
                params={{ connector, view: 'certificates' }}
                text={name || connector}
              />
            ),
          ],
          [t.what, ({ kind, until }) => <Named name={t[kind]} of={moment(until)} />],
          [t.left, ({ until }) => <Left until={until} />],
        ]}
      />
      <Hint>{t.certificatesHint}</Hint>
    </Part>
  )
}

const usPerDay = 86_400_000_000
/** Days before the end at which it is shown as near. */
const nearDays = 30

function Left({ until }: { readonly until: number }) {
  const t = useTexts(healthTexts)
  const language = useLanguage()
  const days = useTimed((nowUs) => Math.floor((until - nowUs) / usPerDay))
  if (days < 0) return <Badge tone="bad" text={t.ended} />
  const text = days === 0 ? t.soon : t.days(days.toLocaleString(language))
  return days < nearDays ? <Badge tone="care" text={text} /> : <span>{text}</span>
}
