import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createAsset, type NewAsset } from '../../api/assets.ts'
import { listTemplates } from '../../api/templates.ts'
import { SelectField } from '../../components/controls/fields.tsx'
import { FormDialog } from '../../components/dialogs/form-dialog.tsx'
import { byIdOf, pathOf, useGroups } from '../../components/groups/groups.ts'
import { useChange } from '../../ui/change.ts'
import { useConnectors, useLive } from '../../ui/live.ts'
import { useMay } from '../../ui/session.tsx'
import { textOf } from '../../ui/submit.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'

const texts = defineTexts({
  title: ['New asset', 'Neue Anlage'],
  kind: ['Made from', 'Grundlage'],
  nothing: ['nothing: signals come later', 'keine: Signale kommen später'],
  template: ['a template', 'eine Vorlage'],
  device: ['a device', 'ein Gerät'],
  whichTemplate: ['Template', 'Vorlage'],
  identity: ['Identity of the device', 'Identität des Geräts'],
  channels: [
    'Make a signal of each channel that the device describes',
    'Ein Signal für jeden Kanal anlegen, den das Gerät beschreibt',
  ],
})

type Kind = 'nothing' | 'template' | 'device'

type Props = { readonly groupId: string | undefined; readonly onClose: () => void }

/** Makes an asset, from nothing, a template or a device, and opens its page. */
export function NewAssetDialog({ groupId, onClose }: Props) {
  const t = useTexts(texts)
  const navigate = useNavigate()
  const groups = useGroups()
  const seesDevices = useMay('Setup')
  const [kind, setKind] = useState<Kind>('nothing')
  const { isBusy, error, run } = useChange<NewAsset>(async (client, input) => {
    const asset = await createAsset(client, { input })
    await navigate({ to: '/assets/$asset/{-$view}', params: { asset: asset?.id ?? '' } })
  })
  const submit = (fields: FormData) => run(inputOf(fields, kind), onClose)
  const kinds: readonly Kind[] = [
    'nothing',
    'template',
    ...(seesDevices ? ['device' as const] : []),
  ]
  return (
    <FormDialog title={t.title} action={t.create} onSubmit={submit} {...{ isBusy, error, onClose }}>
      <TextInput name="name" label={t.name} required maxLength={200} data-autofocus />
      <NativeSelect
        name="group"
        label={t.group}
        key={groups.data === undefined ? 'reading' : 'read'}
        defaultValue={groupId}
        data={(groups.data ?? []).map((one) => ({
          value: one.id,
          label: pathOf(one, byIdOf(groups.data)),
        }))}
      />
      <SelectField
        label={t.kind}
        value={kind}
        data={kinds.map((value) => ({ value, label: t[value] }))}
        size="sm"
        onChange={(next) => setKind(next as Kind)}
      />
      {kind === 'template' && <FromTemplate />}
      {kind === 'device' && <FromDevice />}
    </FormDialog>
  )
}

function FromTemplate() {
  const t = useTexts(texts)
  const templates = useLive(['templates'], listTemplates)
  return (
    <NativeSelect
      name="template"
      label={t.whichTemplate}
      required
      data={(templates.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}

function FromDevice() {
  const t = useTexts(texts)
  const connectors = useConnectors()
  return (
    <>
      <NativeSelect
        name="connector"
        label={t.connector}
        required
        data={(connectors.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextInput name="identity" label={t.identity} required autoComplete="off" />
      <Checkbox name="channels" label={t.channels} defaultChecked />
    </>
  )
}

function inputOf(form: FormData, kind: Kind): NewAsset {
  const group = textOf(form, 'group')
  const base = { name: textOf(form, 'name'), ...(group !== '' && { groupId: group }) }
  if (kind === 'template') return { ...base, templateId: textOf(form, 'template') }
  if (kind === 'nothing') return base
  const device = { connectorId: textOf(form, 'connector'), identity: textOf(form, 'identity') }
  return { ...base, device, channelsOfDevice: form.get('channels') !== null }
}
