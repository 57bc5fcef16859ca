import { Alert, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { parseMicros } from '../../api/graphql.ts'
import { type InsightFunction, listFunctions, type ModuleDetails } from '../../api/modules.ts'
import { Age } from '../../components/age.tsx'
import { Badge } from '../../components/badge.tsx'
import { TextField } from '../../components/controls/fields.tsx'
import { Faint } from '../../components/line.tsx'
import { NextStep } from '../../components/next-step.tsx'
import { Pane } from '../../components/pane.tsx'
import { useRead } from '../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../ui/texts.ts'
import { translated } from '../../ui/translated-texts.ts'
import { shownUnit } from '../../ui/words.ts'
import styles from './marketplace.module.css'

/** The server asks the module only now and then. */
const functionsEveryMs = 5_000
const typingMs = 400

const texts = defineTexts({
  title: ['Functions', 'Funktionen'],
  none: ['It lists no function.', 'Es nennt keine Funktion.'],
  groupHelp: [
    'This module lists its functions by group.',
    'Dieses Modul nennt seine Funktionen nach Gruppen.',
  ],
  readAt: ['Listed', 'Genannt'],
  old: [
    'The module could not be asked now; these are the functions of before then.',
    'Das Modul war jetzt nicht zu erreichen; dies sind die Funktionen von davor.',
  ],
  transform: ['transform', 'Transformation'],
  rule: ['rule', 'Regel'],
  action: ['action', 'Aktion'],
  takes: ['Takes', 'Nimmt'],
  makes: ['Makes', 'Liefert'],
  constants: ['Constants', 'Konstanten'],
  anything: ['anything', 'beliebig'],
})

type Port = Pick<InsightFunction['inlets'][number], 'name' | 'primitiveType' | 'dataUnit'>

/** The functions of a module, as it describes them. */
export function FunctionsPane({ module }: { readonly module: ModuleDetails }) {
  const t = useTexts(texts)
  const [typed, setTyped] = useState('')
  const [group] = useDebouncedValue(typed.trim(), typingMs)
  const needsGroup = module.info.group_id_required
  const functions = useRead(
    'functions',
    listFunctions,
    [{ moduleId: module.id, groupId: needsGroup ? group : null }],
    { everyMs: functionsEveryMs, enabled: !needsGroup || group !== '' },
  )
  const { readAt } = functions.data ?? {}
  return (
    <Pane
      title={t.title}
      query={functions}
      aside={
        readAt != null && (
          <Faint>
            <span>
              {t.readAt} <Age at={parseMicros(readAt)} />
            </span>
          </Faint>
        )
      }
      tools={
        needsGroup && (
          <TextField label={t.group} description={t.groupHelp} value={typed} onChange={setTyped} />
        )
      }
    >
      {({ functions: all, failure, complaints }) => (
        <>
          {failure !== null && (
            <Alert color="orange" title={t.old} p="sm" my="xs">
              {failure}
            </Alert>
          )}
          {complaints.length > 0 && (
            <ul className={styles.list}>
              {complaints.map((complaint) => (
                <li key={complaint}>{complaint}</li>
              ))}
            </ul>
          )}
          {all.length === 0 && <NextStep>{t.none}</NextStep>}
          <ul className={styles.functions} aria-label={t.title}>
            {all.map((one) => (
              <FunctionCard key={one.id} described={one} />
            ))}
          </ul>
        </>
      )}
    </Pane>
  )
}

function FunctionCard({ described }: { readonly described: InsightFunction }) {
  const t = useTexts(texts)
  const { name, description, type, constants, inlets, outlets, translations } = described
  const tone = type === 'transform' ? 'note' : type === 'rule' ? 'care' : 'quiet'
  return (
    <li className={styles.function}>
      <h3 className={styles.name}>{translated(translations, 'name', name)}</h3>
      <span>
        <Badge tone={tone} text={t[type]} />
      </span>
      <Text size="sm" className={styles.text}>
        {translated(translations, 'description', description)}
      </Text>
      <Faint>
        <span className={styles.name}>
          {t.takes}: {inlets.map((port) => portText(port, t.anything)).join(', ')}
        </span>
      </Faint>
      {outlets.length > 0 && (
        <Faint>
          <span className={styles.name}>
            {t.makes}: {outlets.map((port) => portText(port, t.anything)).join(', ')}
          </span>
        </Faint>
      )}
      {constants.length > 0 && (
        <Faint>
          <span className={styles.name}>
            {t.constants}: {constants.map((one) => one.name).join(', ')}
          </span>
        </Faint>
      )}
    </li>
  )
}

function portText(
  { name, primitiveType, dataUnit }: { [Key in keyof Port]: Port[Key] | null },
  anything: string,
): string {
  const kind = [primitiveType?.toLowerCase(), dataUnit?.map(shownUnit).join('/')].filter(Boolean)
  return `${name ?? ''} (${kind.join(', ') || anything})`
}
