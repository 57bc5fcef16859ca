import { FileInput, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { addConfiguration } from '../../../api/solutions.ts'
import { LongField, TextField } from '../../../components/controls/fields.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { OfferedServices } from '../../../components/offered-services.tsx'
import { useChange } from '../../../ui/change.ts'
import { isOutage } from '../../../ui/errors.ts'
import { textOf } from '../../../ui/submit.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'

const texts = defineTexts({
  add: ['Add a service', 'Dienst hinzufügen'],
  kind: ['What is added', 'Was hinzukommt'],
  known: ['Service or connector', 'Dienst oder Konnektor'],
  described: ['OpenAPI document', 'OpenAPI-Dokument'],
  service: ['Service', 'Dienst'],
  serviceAbout: [
    'The name of a service, or the id of a connector or of a solution. Letters find a solution.',
    'Der Name eines Dienstes oder die Kennung eines Konnektors, einer Lösung. Buchstaben ' +
      'finden eine Lösung.',
  ],
  serviceWanted: [
    'A service has 1 to 63 letters, digits and hyphens.',
    'Ein Dienst hat 1 bis 63 Buchstaben, Ziffern und Bindestriche.',
  ],
  key: ['Name in scripts', 'Name in Skripten'],
  keyAbout: [
    'Empty: the one that the service gives itself.',
    'Leer: der Name, den der Dienst sich gibt.',
  ],
  keyWanted: [
    'Scripts call its operations by this name.',
    'Skripte rufen seine Operationen mit diesem Namen auf.',
  ],
  choose: ['weather.yaml', 'wetter.yaml'],
  document: ['Document', 'Dokument'],
  documentAbout: [
    'OpenAPI 3.0 or 3.1, or Swagger 2.0, as YAML or JSON.',
    'OpenAPI 3.0 oder 3.1 oder Swagger 2.0, als YAML oder JSON.',
  ],
  documentWanted: [
    'Paste a document, or choose its file.',
    'Fügen Sie ein Dokument ein oder wählen Sie seine Datei.',
  ],
})

type Wanted = Parameters<typeof addConfiguration>[2]
type Place = 'service' | 'key' | 'definition'

type Props = {
  readonly solution: string
  readonly onMade: (id: string) => void
  readonly onClose: () => void
}

const typingMs = 200

const serviceShape = /^[a-zA-Z0-9-]{1,63}$/

/** Gives a solution a service that the platform has, or one that an OpenAPI document describes. */
export function NewServiceDialog({ solution, onMade, onClose }: Props) {
  const t = useTexts(texts)
  const [isDescribed, setDescribed] = useState(false)
  const [definition, setDefinition] = useState('')
  const [service, setService] = useState('')
  const [wrong, setWrong] = useState<Partial<Record<Place, string>>>({})
  const add = useChange<Wanted>(async (client, wanted) => {
    const { id } = await addConfiguration(client, solution, wanted)
    onMade(id)
  })
  const refused = placeOf(add.error, isDescribed)
  const faultAt = (place: Place) =>
    wrong[place] ?? (refused === place ? add.error?.message : undefined)
  const submit = (form: FormData) => {
    const key = textOf(form, 'key')
    const service = isDescribed ? 'openapi' : textOf(form, 'service')
    const faults = {
      ...(!serviceShape.test(service) && { service: t.serviceWanted }),
      ...(isDescribed && key === '' && { key: t.keyWanted }),
      ...(isDescribed && definition.trim() === '' && { definition: t.documentWanted }),
    }
    setWrong(faults)
    if (Object.keys(faults).length > 0) return
    const parameters = isDescribed ? { parameters: { definition } } : {}
    add.run({ service, ...(key !== '' && { script_key: key }), ...parameters }, onClose)
  }
  const become = (text: string) => {
    setDefinition(text)
    setWrong({})
    add.reset()
  }
  return (
    <FormDialog
      title={t.add}
      action={t.add}
      size="lg"
      isBusy={add.isBusy}
      error={refused === undefined ? add.error : null}
      onSubmit={submit}
      onClose={onClose}
    >
      <Kind
        isDescribed={isDescribed}
        onChange={(next) => {
          setDescribed(next)
          setWrong({})
          add.reset()
        }}
      />
      {!isDescribed && (
        <ServiceField text={service} fault={faultAt('service')} onChange={setService} />
      )}
      <TextInput
        name="key"
        label={t.key}
        description={isDescribed ? t.keyWanted : t.keyAbout}
        error={faultAt('key')}
      />
      {isDescribed && (
        <DocumentFields text={definition} fault={faultAt('definition')} onChange={become} />
      )}
    </FormDialog>
  )
}

type KindProps = {
  readonly isDescribed: boolean
  readonly onChange: (isDescribed: boolean) => void
}

function Kind({ isDescribed, onChange }: KindProps) {
  const t = useTexts(texts)
  return (
    <SegmentedControl
      aria-label={t.kind}
      size="xs"
      data={[
        { value: 'known', label: t.known },
        { value: 'described', label: t.described },
      ]}
      value={isDescribed ? 'described' : 'known'}
      onChange={(value) => onChange(value === 'described')}
    />
  )
}

/** A service that is typed, or chosen among those of solutions. */
function ServiceField({ text, fault, onChange }: DocumentProps) {
  const t = useTexts(texts)
  const [found] = useDebouncedValue(text.trim(), typingMs)
  return (
    <>
      <TextField
        name="service"
        label={t.service}
        description={t.serviceAbout}
        error={fault}
        value={text}
        data-autofocus
        size="sm"
        onChange={onChange}
      />
      <OfferedServices text={found} onChoose={onChange} />
    </>
  )
}

type DocumentProps = {
  readonly text: string
  readonly fault: string | undefined
  readonly onChange: (text: string) => void
}

/** A document that is pasted, or read from a file. */
function DocumentFields({ text, fault, onChange }: DocumentProps) {
  const t = useTexts(texts)
  return (
    <>
      <FileInput
        label={t.file}
        placeholder={t.choose}
        accept=".yaml,.yml,.json"
        onChange={async (file) => file !== null && onChange(await file.text())}
      />
      <LongField
        label={t.document}
        description={t.documentAbout}
        value={text}
        error={fault}
        rows={10}
        spellCheck={false}
        styles={{ input: { fontFamily: 'monospace' } }}
        size="sm"
        onChange={onChange}
      />
    </>
  )
}

/** The field that a refusal is about; undefined for none. */
function placeOf(error: Error | null, isDescribed: boolean): Place | undefined {
  if (error === null || isOutage(error)) return undefined
  if (/^script_key\b|name in scripts/.test(error.message)) return 'key'
  return isDescribed && /definition|document|OpenAPI/i.test(error.message)
    ? 'definition'
    : undefined
}
