import { Anchor, Code, Paper, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { type Stage, stages } from '../../../api/failures.ts'
import { type Health, readHealth } from '../../../api/setup/health.ts'
import { Badge } from '../../../components/badge.tsx'
import { Heading } from '../../../components/controls/heading.tsx'
import { CopyText } from '../../../components/copy-text.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { Pane } from '../../../components/pane.tsx'
import { Table } from '../../../components/table/table.tsx'
import { useTimed } from '../../../ui/clock.ts'
import { listEveryMs, useLive } from '../../../ui/live.ts'
import { useLanguage, useTexts } from '../../../ui/texts.ts'
import { moment } from '../../../ui/words.ts'
import { texts as failureTexts } from '../../failures/texts.ts'
import styles from './business.module.css'
import { Facts } from './facts.tsx'
import { healthTexts } from './health-texts.ts'

const backupPage = 'docs/operating/backup.md'

/** Whether all works: of the instance what a business may read, and what is its own. */
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

type PartProps = { readonly title: string; readonly children: ReactNode }

/** A part of what one query has read, whose trouble stands at the first part alone. */
function Part({ title, children }: PartProps) {
  const id = useId()
  return (
    <Paper component="section" aria-labelledby={id} withBorder p="md" className={styles.part}>
      <Heading text={title} id={id} />
      {children}
    </Paper>
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
        facts={[
          [t.version, version],
          [t.state, state],
        ]}
      />
      {ready && <Hint>{t.readyHint}</Hint>}
    </>
  )
}

/** Where calls wait, by the stage at which they are found if they fail. */
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
      <Table heads={[t.stage, t.waiting, t.failed]} narrow="stacked">
        {stages.map((stage) => {
          const at = waits[stage]
          const count = failed.stages[stage]
          return (
            <tr key={stage}>
              <td>{names[stage]}</td>
              <td data-label={t.waiting}>
                {at === undefined ? (
                  <Faint inline>{t.notCounted}</Faint>
                ) : (
                  shown(waiting.stages[at], waiting.most)
                )}
              </td>
              <td>
                {count === 0 ? (
                  t.failedCount('0')
                ) : (
                  <Anchor
                    size="sm"
                    renderRoot={(props) => (
                      <Link to="/failures/{-$of}/{-$id}" search={{ stage }} {...props} />
                    )}
                  >
                    {t.failedCount(shown(count, failed.most))}
                  </Anchor>
                )}
              </td>
            </tr>
          )
        })}
      </Table>
      <Hint>
        {t.failedHint} {t.waitingHint}
      </Hint>
    </Part>
  )
}

function Modules({ modules }: Pick<Health, 'modules'>) {
  const t = useTexts(healthTexts)
  const language = useLanguage()
  if (modules.length === 0) {
    return (
      <Part title={t.modules}>
        <Hint>{t.noModules}</Hint>
      </Part>
    )
  }
  return (
    <Part title={t.modules}>
      <Table heads={[t.module, t.calls, t.inRow]} narrow="stacked">
        {modules.map((one) => (
          <tr key={one.id}>
            <td>
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link to="/marketplace/modules/$module" params={{ module: one.id }} {...props} />
                )}
              >
                {one.name}
              </Anchor>
            </td>
            <td data-label={t.calls}>
              {one.failures_in_row === 0 ? (
                <Badge tone="good" icon="check" text={t.noFailure} />
              ) : (
                <Badge tone="bad" icon="stop" text={t.failing} />
              )}
              {one.rests_until !== null && <Faint>{t.resting(moment(one.rests_until))}</Faint>}
              {one.last_failure !== null && <Faint>{one.last_failure}</Faint>}
            </td>
            <td>{one.failures_in_row.toLocaleString(language)} ×</td>
          </tr>
        ))}
      </Table>
      <Hint>{t.modulesHint}</Hint>
    </Part>
  )
}

function Certificates({ certificates }: Pick<Health, 'certificates'>) {
  const t = useTexts(healthTexts)
  if (certificates.length === 0) {
    return (
      <Part title={t.certificates}>
        <Hint>{t.noCertificates}</Hint>
      </Part>
    )
  }
  return (
    <Part title={t.certificates}>
      <Table heads={[t.connector, t.what, t.left]} narrow="stacked">
        {certificates.map(({ connector, name, kind, until }) => (
          <tr key={`${connector} ${kind}`}>
            <td>
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link
                    to="/connectors/$connector/{-$view}"
                    params={{ connector, view: 'certificates' }}
                    {...props}
                  />
                )}
              >
                {name || connector}
              </Anchor>
            </td>
            <td data-label={t.what}>
              {t[kind]}
              <Faint>{moment(until)}</Faint>
            </td>
            <td>
              <Left until={until} />
            </td>
          </tr>
        ))}
      </Table>
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
