import { Group } from '@mantine/core'
import { useState } from 'react'
import type { Client } from '../../../api/client.ts'
import { type Binding, deleteBinding, listBindings } from '../../../api/notifications.ts'
import { Age } from '../../../components/age.tsx'
import { SelectField, TextField } from '../../../components/controls/fields.tsx'
import { AskedAction } from '../../../components/dialogs/confirm.tsx'
import { Faint } from '../../../components/line.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { Pager } from '../../../components/pager.tsx'
import { Pane } from '../../../components/pane.tsx'
import { Table } from '../../../components/table/table.tsx'
import { useRead } from '../../../ui/live-queries.ts'
import { masked } from '../../../ui/mask.ts'
import { useLanguage, useTexts } from '../../../ui/texts.ts'
import styles from '../solutions.module.css'
import { bindingTexts } from './binding-texts.ts'

/** The channels of bindings, as the API names them. */
const channels = ['apn', 'fcm', 'gcm', 'sms', 'vendor-messenger'] as const

const bindingsShown = 20

type Props = { readonly solution: string }

/** The addresses at which a solution reaches people: their devices and numbers, newest first. */
export function BindingsPane({ solution }: Props) {
  const t = useTexts(bindingTexts)
  const language = useLanguage()
  const [identity, setIdentity] = useState('')
  const [channel, setChannel] = useState('')
  const [before, setBefore] = useState<readonly (number | undefined)[]>([])
  const filter = { identity: identity.trim() || undefined, channel: channel || undefined }
  const cursor = before.at(-1)
  const bindings = useRead(
    'bindings',
    listBindings,
    [solution, { ...filter, cursor, limit: bindingsShown }],
    { keepsBefore: true },
  )
  const next = bindings.data?.cursor
  const total = bindings.data?.total
  const choose = (set: (text: string) => void) => (text: string) => {
    setBefore([])
    set(text)
  }
  return (
    <Pane
      title={t.title}
      query={bindings}
      tools={
        (total ?? 0) > 0 && (
          <Filter
            {...{ identity, channel }}
            onIdentity={choose(setIdentity)}
            onChannel={choose(setChannel)}
          />
        )
      }
      aside={total !== undefined && <Faint>{total.toLocaleString(language)}</Faint>}
    >
      {(page) =>
        page.total === 0 ? (
          <NextStep>{t.none}</NextStep>
        ) : (
          <>
            {page.bindings.length === 0 ? (
              <NextStep>{t.noneFound}</NextStep>
            ) : (
              <Table
                heads={[t.person, t.address, t.registered, t.lastSent, t.change]}
                narrow="stacked"
              >
                {page.bindings.map((one) => (
                  <Row key={one.sid} solution={solution} binding={one} />
                ))}
              </Table>
            )}
            <Pager
              onBefore={before.length === 0 ? undefined : () => setBefore(before.slice(0, -1))}
              onAfter={next === undefined ? undefined : () => setBefore([...before, next])}
            />
          </>
        )
      }
    </Pane>
  )
}

type FilterProps = {
  readonly identity: string
  readonly channel: string
  readonly onIdentity: (text: string) => void
  readonly onChannel: (text: string) => void
}

function Filter({ identity, channel, onIdentity, onChannel }: FilterProps) {
  const t = useTexts(bindingTexts)
  return (
    <Group gap="xs" mb="sm" role="search">
      <TextField
        label={t.person}
        placeholder={t.everyone}
        autoComplete="off"
        value={identity}
        onChange={onIdentity}
      />
      <SelectField
        label={t.channel}
        value={channel}
        data={[{ value: '', label: t.all }, ...channels]}
        onChange={onChannel}
      />
    </Group>
  )
}

type RowProps = Props & { readonly binding: Binding }

function Row({ solution, binding }: RowProps) {
  const t = useTexts(bindingTexts)
  const { sid, identity, channel, address, tags, updated_at: at, sent_at: sentAt } = binding
  const remove = (client: Client) => deleteBinding(client, solution, sid)
  const shown = `${channel} ${masked(address)}`
  return (
    <tr>
      <td className={styles.name}>{identity}</td>
      <td data-label={t.address}>
        {shown}
        {tags.length > 0 && <Faint>{tags.join(', ')}</Faint>}
      </td>
      <td data-label={t.registered}>
        <Age at={at} />
      </td>
      <td data-label={t.lastSent}>
        {sentAt === null ? <Faint inline>{t.notYet}</Faint> : <Age at={sentAt} />}
      </td>
      <td>
        <AskedAction
          action={t.remove}
          title={t.removeTitle(shown, identity)}
          loss={t.lost}
          work={remove}
        />
      </td>
    </tr>
  )
}
