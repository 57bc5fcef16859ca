import { Group, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { enums } from '@millrace/client'
import { useState } from 'react'
import {
  type Connector,
  changeResources,
  type Resource,
  type ResourcesPart,
} from '../../../api/connectors.ts'
import { Action } from '../../../components/controls/action.tsx'
import { CheckField } from '../../../components/controls/fields.tsx'
import { Form } from '../../../components/controls/form.tsx'
import { Trouble } from '../../../components/trouble.tsx'
import { useChange } from '../../../ui/change.ts'
import { splitLines } from '../../../ui/forms.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import styles from './settings.module.css'

const texts = defineTexts({
  taken: [
    'This connector has a resource of this name.',
    'Dieser Konnektor hat schon eine Ressource dieses Namens.',
  ],
  allowed: ['Allowed values, one a line', 'Erlaubte Werte, je Zeile einer'],
  allowedHint: [
    'For numbers also ranges such as 9-11; empty for any.',
    'Für Zahlen auch Bereiche wie 9-11; leer: alle.',
  ],
  add: ['Add the resource', 'Ressource hinzufügen'],
  save: ['Save the resource', 'Ressource speichern'],
  alias: ['Alias', 'Alias'],
  format: ['Format', 'Format'],
  unit: ['Unit', 'Einheit'],
  settable: ['It may be set from the cloud', 'Aus der Cloud setzbar'],
  initial: ['What it is set to on a new device', 'Anfangswert eines neuen Geräts'],
})

type Props = {
  readonly connector: Connector
  /** Empty for a new one. */
  readonly alias: string
  readonly resource: Resource | undefined
  readonly onDone: () => void
}

/** A resource is defined whole: fields that the form does not show are sent unchanged. */
export function ResourceForm({ connector, alias, resource, onDone }: Props) {
  const t = useTexts(texts)
  const [taken, setTaken] = useState<string>()
  const { isBusy, error, run } = useChange<ResourcesPart>((client, part) =>
    changeResources(client, connector.id, part),
  )
  const submit = (form: FormData) => {
    const name = alias === '' ? `${form.get('alias')}` : alias
    const isTaken = alias === '' && Object.hasOwn(connector.resources, name)
    setTaken(isTaken ? t.taken : undefined)
    if (!isTaken) run({ [name]: resourceIn(form, resource) }, onDone)
  }
  return (
    <Form onSubmit={submit}>
      <div className={styles.form}>
        <KindFields {...{ alias, resource, taken }} />
        <Textarea
          label={t.allowed}
          description={t.allowedHint}
          name="allowed"
          size="xs"
          rows={6}
          defaultValue={resource?.allowed.join('\n')}
        />
        <SetFields resource={resource} />
      </div>
      {error !== null && <Trouble error={error} />}
      <Group gap="xs" mt="md">
        <Action text={alias === '' ? t.add : t.save} submit busy={isBusy} />
        <Action text={t.cancel} onClick={onDone} />
      </Group>
    </Form>
  )
}

type KindProps = Pick<Props, 'alias' | 'resource'> & {
  /** Why the alias cannot be had. */
  readonly taken: string | undefined
}

function KindFields({ alias, resource, taken }: KindProps) {
  const t = useTexts(texts)
  return (
    <div>
      <TextInput
        label={t.alias}
        name="alias"
        size="xs"
        required
        withAsterisk={false}
        defaultValue={alias}
        disabled={alias !== ''}
        error={taken}
      />
      <NativeSelect
        label={t.format}
        name="format"
        size="xs"
        mt="xs"
        data={[...enums.ResourceFormat]}
        defaultValue={resource?.format}
      />
      <TextInput label={t.unit} name="unit" size="xs" mt="xs" defaultValue={resource?.unit} />
    </div>
  )
}

function SetFields({ resource }: Pick<Props, 'resource'>) {
  const t = useTexts(texts)
  const [isSettable, setSettable] = useState(resource?.settable ?? false)
  return (
    <div>
      <CheckField
        label={t.settable}
        name="settable"
        mt="sm"
        checked={isSettable}
        onChange={setSettable}
      />
      <Textarea
        label={t.initial}
        name="initial"
        size="xs"
        mt="xs"
        rows={3}
        disabled={!isSettable}
        defaultValue={resource?.initial}
      />
    </div>
  )
}

function resourceIn(form: FormData, before: Resource | undefined): Resource {
  const text = (name: string) => `${form.get(name) ?? ''}`
  const format = enums.ResourceFormat.find((one) => one === text('format')) ?? 'string'
  const settable = form.get('settable') !== null
  const unit = text('unit').trim()
  const initial = text('initial')
  return {
    ...{ format, settable, allowed: splitLines(text('allowed')) },
    ...(unit === '' ? {} : { unit }),
    ...(settable && initial !== '' ? { initial } : {}),
    ...(before?.sync === undefined ? {} : { sync: before.sync }),
  }
}
