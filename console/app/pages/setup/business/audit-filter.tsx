import { NativeSelect, TextInput } from '@mantine/core'
import { listUsers } from '../../../api/people/people.ts'
import type { AuditFilter } from '../../../api/setup/audit.ts'
import { Action } from '../../../components/controls/action.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { listEveryMs, useLive } from '../../../ui/live-queries.ts'
import { readText } from '../../../ui/submit.ts'
import { useTexts } from '../../../ui/texts.ts'
import styles from '../setup.module.css'
import { auditTexts, sources } from './audit-texts.ts'

type Props = {
  readonly filter: AuditFilter
  /** Actions that are offered while one is typed. */
  readonly actions: readonly string[]
  readonly onFilter: (filter: AuditFilter) => void
}

const usersOffered = 200
const outcomes = ['done', 'forbidden', 'invalid_argument', 'not_found', 'already_exists', 'in_use']

/** The filter of entries; the address of the page changes when it is sent. */
export function AuditFilterForm({ filter, actions, onFilter }: Props) {
  const t = useTexts(auditTexts)
  const users = useLive(
    ['users', 'names'],
    (client, signal) => listUsers(client, { limit: usersOffered, offset: 0 }, signal),
    { everyMs: listEveryMs * 30 },
  )
  const submit = (fields: FormData) => onFilter(readFilter(fields))
  return (
    <Form className={styles.filters} onSubmit={submit} key={JSON.stringify(filter)}>
      <Field name="from" label={t.from} type="datetime-local" value={localTime(filter.from)} />
      <Field name="to" label={t.to} type="datetime-local" value={localTime(filter.to)} />
      <Field name="subject" label={t.person} value={filter.subject} list="audit-people" />
      <datalist id="audit-people">
        {users.data?.map(({ id, email }) => (
          <option key={id} value={email} />
        ))}
      </datalist>
      <NativeSelect
        size="xs"
        name="source"
        label={t.source}
        defaultValue={filter.source ?? ''}
        data={[
          { value: '', label: t.any },
          ...sources.map((source) => ({ value: source, label: t[source] })),
        ]}
      />
      <Field name="action" label={t.action} value={filter.action} list="audit-actions" />
      <datalist id="audit-actions">
        {actions.map((action) => (
          <option key={action} value={action} />
        ))}
      </datalist>
      <Field name="text" label={t.object} value={filter.text} />
      <NativeSelect
        size="xs"
        name="outcome"
        label={t.outcome}
        defaultValue={filter.outcome ?? ''}
        data={[
          { value: '', label: t.any },
          ...new Set([...outcomes, ...(filter.outcome ? [filter.outcome] : [])]),
        ].map((one) =>
          typeof one === 'string' ? { value: one, label: one === 'done' ? t.done : one } : one,
        )}
      />
      <Action text={t.apply} submit />
      {Object.keys(filter).length > 0 && <Action text={t.clear} onClick={() => onFilter({})} />}
    </Form>
  )
}

type FieldProps = {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
  readonly type?: 'datetime-local'
  readonly list?: string
}

function Field({ value = '', ...field }: FieldProps) {
  return <TextInput size="xs" defaultValue={value} {...field} />
}

function readFilter(form: FormData): AuditFilter {
  const timeIn = (name: 'from' | 'to') => {
    const at = new Date(readText(form, name)).getTime()
    return Number.isNaN(at) ? {} : { [name]: at }
  }
  const texts = (['subject', 'source', 'action', 'outcome', 'text'] as const).flatMap((name) => {
    const text = readText(form, name)
    return text === '' ? [] : [[name, text] as const]
  })
  return { ...timeIn('from'), ...timeIn('to'), ...Object.fromEntries(texts) }
}

const msPerMinute = 60_000

/** As a field of the browser takes it, in the zone of the reader. */
function localTime(at: number | undefined): string | undefined {
  if (at === undefined) return undefined
  const shifted = at - new Date(at).getTimezoneOffset() * msPerMinute
  return new Date(shifted).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
}
