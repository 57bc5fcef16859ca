import { Stack, Text } from '@mantine/core'
import { type Retention, readRetention, readUsage, type Usage } from '../../../api/setup/upkeep.ts'
import { Badge } from '../../../components/badge.tsx'
import { Facts } from '../../../components/controls/facts.tsx'
import { Faint, Line } from '../../../components/line.tsx'
import { Pane } from '../../../components/pane.tsx'
import { listEveryMs, useLive } from '../../../ui/live-queries.ts'
import { useMay, useSignedIn } from '../../../ui/session.tsx'
import { useLanguage, useTexts } from '../../../ui/texts.ts'
import styles from './business.module.css'
import { ConnectorRetention } from './connector-retention.tsx'
import { limitsTexts } from './limits-texts.ts'

const kinds = ['devices', 'messages', 'storage', 'script_cpu', 'tokens', 'users'] as const

/** The quotas and the use of the business, and the periods of its data. */
export function LimitsView() {
  const t = useTexts(limitsTexts)
  const { groups } = useSignedIn().caller
  const maySet = useMay('Setup') && groups === null
  const usage = useLive(['usage'], readUsage)
  const retention = useLive(['retention'], readRetention, { everyMs: listEveryMs * 5 })
  return (
    <Stack gap="md">
      <Pane title={t.use} query={usage}>
        {(found) => (
          <>
            {kinds.map((kind) => (
              <Use key={kind} kind={kind} {...found[kind]} />
            ))}
            <Text size="sm" c="dimmed" mt="xs">
              {t.operator} {t.lastMinute}
            </Text>
          </>
        )}
      </Pane>
      <Pane title={t.retention} query={retention}>
        {(found) => <Periods retention={found} />}
      </Pane>
      {maySet && <ConnectorRetention />}
    </Stack>
  )
}

type UseProps = {
  readonly kind: keyof Usage
  readonly used: number
  readonly most: number | null
}

/** The part of a quota past which it is near its end. */
const near = 0.8

function Use({ kind, used, most }: UseProps) {
  const t = useTexts(limitsTexts)
  const language = useLanguage()
  const shown = (count: number) =>
    kind === 'storage' ? bytes(count, language) : count.toLocaleString(language)
  const tone = most === null || used < most * near ? 'good' : used < most ? 'care' : 'bad'
  return (
    <div className={styles.use} data-tone={tone}>
      <Line ends>
        <span id={`use-${kind}`}>{t[kind]}</span>
        <Line>
          {tone !== 'good' && (
            <Badge tone={tone} icon="warning" text={tone === 'care' ? t.near : t.full} />
          )}
          <span>{most === null ? t.noQuota(shown(used)) : t.of(shown(used), shown(most))}</span>
        </Line>
      </Line>
      {most !== null && (
        <progress aria-labelledby={`use-${kind}`} value={Math.min(used, most)} max={most} />
      )}
    </div>
  )
}

const sizes = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
const sizeStep = 1024

function bytes(count: number, language: string): string {
  const place = count < 1 ? 0 : Math.floor(Math.log(count) / Math.log(sizeStep))
  const at = Math.min(place, sizes.length - 1)
  const number = (count / sizeStep ** at).toLocaleString(language, { maximumFractionDigits: 1 })
  return `${number} ${sizes[at]}`
}

const retained = ['log', 'values', 'lines', 'notifications', 'contents', 'audit'] as const
const hoursPerDay = 24

function Periods({ retention }: { readonly retention: Retention }) {
  const t = useTexts(limitsTexts)
  const setBy = { business: t.business, instance: t.instance, default: t.byDefault } as const
  const period = (hours: number | null) => {
    if (hours === null) return t.ever
    return hours % hoursPerDay === 0 ? t.days(hours / hoursPerDay) : t.hours(hours)
  }
  return (
    <>
      <Facts
        layout="lines"
        facts={retained.map((kind) => [
          t[kind],
          <span key={kind}>
            {period(retention[kind].hours)} <Faint inline>({setBy[retention[kind].set_by]})</Faint>
          </span>,
        ])}
      />
      <Text size="sm" c="dimmed">
        {t.periodsOf}
      </Text>
    </>
  )
}
