import {
  listTemplateVersions,
  readTemplateVersion,
  restoreTemplate,
  type TemplateDifference,
} from '../../../api/templates.ts'
import { toVersions, usePartLines } from '../../../components/versions/version.ts'
import { VersionsPane } from '../../../components/versions/versions-pane.tsx'
import { useLive } from '../../../ui/live-queries.ts'
import { defineTexts, useTexts } from '../../../ui/texts.ts'
import { templateTexts, useFieldLine } from './template-words.tsx'
import { useMayTemplate } from './use-templates.ts'

const texts = defineTexts({
  none: ['Nothing was saved yet.', 'Es wurde noch nichts gespeichert.'],
  made: ['made', 'angelegt'],
})

type Props = { readonly template: string; readonly current: number }

/** The versions of a template, newest first. */
export function useTemplateVersions(template: string) {
  const t = useTexts(texts)
  const linesOf = useTemplateLines()
  return useLive(['template-versions', template], async (client, signal) =>
    toVersions(await listTemplateVersions(client, template, signal), (difference, version) =>
      // It had no name before.
      version === 1 ? [t.made, ...linesOf({ ...difference, fields: [] })] : linesOf(difference),
    ),
  )
}

/** The versions of a template, what each changed, and the way back to it. */
export function TemplateVersions({ template, current }: Props) {
  const t = useTexts(texts)
  const words = useTexts(templateTexts)
  const mayChange = useMayTemplate()
  const linesOf = useTemplateLines()
  const query = useTemplateVersions(template)
  return (
    <VersionsPane
      {...{ query, current }}
      none={t.none}
      compare={{
        list: ['template-versions', template],
        read: async (client, { version, since }, signal) => {
          const of = [template, `${version}`, { since }] as const
          const { difference } = await readTemplateVersion(client, ...of, signal)
          return difference === null ? [] : linesOf(difference)
        },
      }}
      restore={
        mayChange
          ? (client, version) => restoreTemplate(client, template, { version, current })
          : undefined
      }
    >
      {words.stay}
    </VersionsPane>
  )
}

/** Returns a line for the words, and one for each signal and each function that differ. */
function useTemplateLines() {
  const fieldLine = useFieldLine()
  const partLines = usePartLines()
  return ({ fields, signals, links }: TemplateDifference): readonly string[] => [
    ...fields.map(fieldLine),
    ...partLines(signals),
    ...partLines(links),
  ]
}
