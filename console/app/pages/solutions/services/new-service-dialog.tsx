import { FileInput, SegmentedControl, type TextareaProps, type TextInputProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { addConfiguration } from '../../../api/solutions.ts'
import { LongField, TextField } from '../../../components/controls/fields.tsx'
import { FieldsDialog } from '../../../components/form/fields-dialog.tsx'
import { OfferedServices } from '../../../components/offered-services.tsx'
import { addConfigurationForm } from '../../../generated/forms.ts'
import { readText } from '../../../ui/submit.ts'
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

type Props = {
  readonly solution: string
  readonly onMade: (id: string) => void
  readonly onClose: () => void
}

const typingMs = 200

/** Gives a solution a service that the platform has, or one that an OpenAPI document describes. */
export function NewServiceDialog({ solution, onMade, onClose }: Props) {
  const t = useTexts(texts)
  const [isDescribed, setDescribed] = useState(false)
  return (
    <FieldsDialog
      title={t.add}
      action={t.add}
      size="lg"
      form={addConfigurationForm}
      fields={[
        <Kind key="kind" isDescribed={isDescribed} onChange={setDescribed} />,
        !isDescribed && {
          name: 'service',
          as: ServiceField,
          label: t.service,
          description: t.serviceAbout,
        },
        {
          name: 'script_key',
          label: t.key,
          description: isDescribed ? t.keyWanted : t.keyAbout,
          needed: isDescribed,
        },
        isDescribed && {
          name: 'definition',
          as: DocumentField,
          label: t.document,
          description: t.documentAbout,
          fault: (text) => text === '' && t.documentWanted,
        },
      ]}
      send={async (client, body, form) => {
        const parameters = { definition: readText(form, 'definition') }
        const described = { ...body, service: 'openapi', parameters }
        const { id } = await addConfiguration(client, solution, isDescribed ? described : body)
        onMade(id)
      }}
      faultFor={(error) => faultAt(error, isDescribed)}
      onClose={onClose}
    />
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
function ServiceField({ defaultValue: _, ...field }: TextInputProps) {
  const [text, setText] = useState('')
  const [found] = useDebouncedValue(text.trim(), typingMs)
  return (
    <>
      <TextField {...field} value={text} size="sm" onChange={setText} />
      <OfferedServices text={found} onChoose={setText} />
    </>
  )
}

/** A document that is pasted, or read from a file. */
function DocumentField({ defaultValue: _, ...field }: TextareaProps) {
  const t = useTexts(texts)
  const [text, setText] = useState('')
  return (
    <>
      <FileInput
        label={t.file}
        placeholder={t.choose}
        accept=".yaml,.yml,.json"
        onChange={async (file) => file !== null && setText(await file.text())}
      />
      <LongField
        {...field}
        value={text}
        rows={10}
        spellCheck={false}
        styles={{ input: { fontFamily: 'monospace' } }}
        size="sm"
        onChange={setText}
      />
    </>
  )
}

/** The field that a refusal is about without naming it first. */
function faultAt({ message }: Error, isDescribed: boolean) {
  if (/name in scripts/.test(message)) return ['script_key', message] as const
  const isOfDocument = isDescribed && /definition|document|OpenAPI/i.test(message)
  return isOfDocument && (['definition', message] as const)
}
