import { Group, Text } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type AuditEntry, type AuditFilter, allAudit, listAudit } from '../../../api/setup/audit.ts'
import { Badge } from '../../../components/badge.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { PageLink } from '../../../components/controls/page-link.tsx'
import { Faint } from '../../../components/line.tsx'
import { Named } from '../../../components/table/list.tsx'
import { ListPane } from '../../../components/table/list-pane.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { formatCsv, saveFile } from '../../../ui/files.ts'
import { useLive } from '../../../ui/live-queries.ts'
import { useTexts } from '../../../ui/texts.ts'
import { moment } from '../../../ui/words.ts'
import styles from '../setup.module.css'
import { setupTexts } from '../texts.ts'
import { AuditFilterForm } from './audit-filter.tsx'
import { auditTexts, sources } from './audit-texts.ts'

const pageSize = 50
const savedMax = 50_000
const usPerMs = 1_000
const route = getRouteApi('/setup/{-$view}')

/** The audit log: each action with its author and address. */
export function AuditView() {
  const t = useTexts(auditTexts)
  const names = useTexts(setupTexts)
  const { page: _page, before, ...filter } = route.useSearch()
  const navigate = useNavigate()
  const entries = useLive(
    ['audit', filter, before ?? 0],
    (client, signal) => listAudit(client, { ...filter, limit: pageSize + 1, before }, signal),
    { keepsBefore: true },
  )
  const show = (search: AuditFilter & { before?: number }) =>
    navigate({ to: '/setup/{-$view}', params: { view: 'audit' }, search })
  const found = entries.data ?? []
  const last = found.length > pageSize ? found[pageSize - 1] : undefined
  const actions = [...new Set(found.map(({ action }) => action))].sort()
  return (
    <ListPane
      title={names.audit}
      query={entries}
      aside={<SaveButton filter={filter} />}
      tools={<AuditFilterForm {...{ filter, actions }} onFilter={show} />}
      above={<Faint>{t.kept}</Faint>}
      most={pageSize}
      itemKey={({ id }) => id}
      none={Object.keys(filter).length === 0 ? t.none : t.noneOf}
      columns={[
        [t.when, ({ at }) => moment(at * usPerMs)],
        [t.who, (entry) => <Who {...{ entry, filter }} />],
        [t.what, (entry) => <What {...{ entry, filter }} />],
        [t.where, (entry) => <Where {...entry} />],
        [t.outcome, (entry) => <Outcome {...entry} />],
      ]}
    >
      {(before !== undefined || last !== undefined) && (
        <Group gap="xs" mt="sm">
          <Action text={t.newest} disabled={before === undefined} onClick={() => show(filter)} />
          <Action
            text={t.older}
            disabled={last === undefined}
            onClick={() => last && show({ ...filter, before: last.id })}
          />
        </Group>
      )}
    </ListPane>
  )
}

type EntryProps = { readonly entry: AuditEntry; readonly filter: AuditFilter }

function Who({ entry: { subject, name }, filter }: EntryProps) {
  return (
    <>
      <FilterLink search={{ ...filter, subject }}>{name || subject}</FilterLink>
      {name !== '' && <Faint>{subject.split(':')[0]}</Faint>}
    </>
  )
}

function What({ entry: { action, target }, filter }: EntryProps) {
  return (
    <>
      <FilterLink search={{ ...filter, action }}>{action}</FilterLink>
      {target !== '' && (
        <Text size="sm" c="dimmed" className={styles.name} lineClamp={2} title={target}>
          {target}
        </Text>
      )}
    </>
  )
}

function Where({ source, address }: AuditEntry) {
  const t = useTexts(auditTexts)
  const known = sources.find((one) => one === source)
  return <Named name={known === undefined ? source : t[known]} of={address} />
}

function Outcome({ outcome }: AuditEntry) {
  const t = useTexts(auditTexts)
  if (outcome === 'done') return <Badge tone="good" icon="check" text={t.done} />
  return <Named name={<Badge tone="care" icon="cross" text={t.refused} />} of={outcome} />
}

type LinkProps = { readonly search: AuditFilter; readonly children: string }

function FilterLink({ search, children }: LinkProps) {
  return (
    <PageLink
      to="/setup/{-$view}"
      params={{ view: 'audit' }}
      search={search}
      underline="always"
      className={styles.name}
      text={children}
    />
  )
}

const columns = [
  'at',
  'name',
  'subject',
  'source',
  'address',
  'action',
  'target',
  'outcome',
] as const

/** Saves all that match, not only the page that is shown. */
function SaveButton({ filter }: { readonly filter: AuditFilter }) {
  const t = useTexts(auditTexts)
  const [isCut, setCut] = useState(false)
  const { isBusy, error, run } = useChange<AuditFilter>(async (client, wanted) => {
    const found = await allAudit(client, wanted, savedMax)
    const rows = found.map((entry) => {
      const shown = { ...entry, at: new Date(entry.at).toISOString() }
      return columns.map((column) => shown[column])
    })
    saveFile('audit.csv', 'text/csv', formatCsv(columns, rows))
    setCut(found.length >= savedMax)
  })
  return (
    <>
      <Action text={t.save} icon="download" busy={isBusy} onClick={() => run(filter)} />
      {isCut && (
        <span role="status">
          <Faint>{t.saved(savedMax)}</Faint>
        </span>
      )}
      {error !== null && <Trouble error={error} />}
    </>
  )
}
