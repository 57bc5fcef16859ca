import { Paper } from '@mantine/core'
import { Badge } from '../../../components/badge.tsx'
import { Action } from '../../../components/controls/action.tsx'
import { Heading } from '../../../components/controls/heading.tsx'
import { NextStep } from '../../../components/next-step.tsx'
import { Table } from '../../../components/table/table.tsx'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import styles from '../assets.module.css'
import type { TemplatePartProps } from './template-words.tsx'

const texts = defineTexts({
  functions: ['Functions', 'Funktionen'],
  none: [
    'It has no function. Those of the asset of which a template is made come with it.',
    'Sie hat keine Funktion. Aus einer Anlage gemacht, bekommt sie deren Funktionen.',
  ],
  does: ['Function', 'Funktion'],
  takes: ['Takes', 'Nimmt'],
  removeOf: (name: string) => [`Remove the function ${name}`, `Funktion ${name} entfernen`],
})

/** The functions that each asset of a template gets. */
export function TemplateLinks({ document, onChange }: TemplatePartProps) {
  const t = useTexts(texts)
  const { links = [], signals = [] } = document
  const signalName = (key: string) => signals.find((one) => one.key === key)?.name ?? key
  const linkName = (ref: string) => links.find((one) => one.ref === ref)?.name ?? ref
  const heads = [t.name, t.does, t.takes, ...(onChange === undefined ? [] : [t.actions])]
  return (
    <Paper
      component="section"
      aria-label={t.functions}
      withBorder
      p="md"
      className={`${styles.paper} ${styles.buttons}`}
    >
      <Heading text={t.functions} />
      {links.length === 0 ? (
        <NextStep>{t.none}</NextStep>
      ) : (
        <Table heads={heads} narrow="stacked">
          {links.map((link, at) => (
            <tr key={link.ref ?? link.id ?? link.name}>
              <td>
                {link.name} {link.enabled === false && <Badge tone="quiet" text={t.off} />}
              </td>
              <td data-label={t.does}>{link.functionId}</td>
              <td data-label={t.takes}>
                {(link.inlets ?? [])
                  .map(({ signalId, link: of }) =>
                    signalId == null ? linkName(of ?? '?') : signalName(signalId),
                  )
                  .join(', ')}
              </td>
              {onChange !== undefined && (
                <td>
                  <Action
                    text={t.remove}
                    small
                    aria-label={t.removeOf(link.name ?? '')}
                    onClick={() => onChange({ links: links.filter((_, index) => index !== at) })}
                  />
                </td>
              )}
            </tr>
          ))}
        </Table>
      )}
    </Paper>
  )
}
