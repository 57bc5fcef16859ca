import { Fault } from '../../../foundation/kernel/index.ts'
import { type Level, levelFor, levelName } from '../../../insight/assets/index.ts'
import type {
  InstructionFile,
  InstructionVersion,
  PolicyInput,
} from '../../../insight/policies/index.ts'
import type { Context } from '../context.ts'
import type {
  PolicyInput as PolicyArgument,
  Resolvers,
  WorkInstructionFileInput,
} from '../generated/resolvers.ts'
import { toPage } from '../inputs.ts'

const queries = {
  policies(_, { pagination }, { policies, principal }) {
    return policies.list(principal.view, toPage(pagination))
  },

  workInstructions(_, { filters, pagination }, { policies, principal }) {
    const filter = { text: filters?.text, groupId: filters?.group_id }
    const { instructions } = policies
    return instructions.list(principal.view, filter, toPage(pagination))
  },
} satisfies Resolvers['Query']

const policyMutations = {
  createPolicy(_, { input }, { policies, principal }) {
    return policies.create(principal.view, parsePolicy(input))
  },

  updatePolicy(_, { id, input }, { policies, principal }) {
    return policies.update(principal.view, id, parsePolicy(input))
  },

  deletePolicy(_, { id }, { policies, principal }) {
    return policies.remove(principal.view, id)
  },
} satisfies Resolvers['Mutation']

const instructionMutations = {
  createWorkInstruction(_, { input }, { policies, principal }) {
    const { file, ...instruction } = input
    const parsed = file == null ? undefined : parseFile(file)
    return policies.instructions.create(principal.view, instruction, parsed)
  },

  updateWorkInstruction(_, { id, input }, { policies, principal }) {
    return policies.instructions.update(principal.view, id, input)
  },

  addWorkInstructionVersion(_, { id, file }, { policies, principal }) {
    return policies.instructions.addVersion(principal.view, id, parseFile(file))
  },

  deleteWorkInstruction(_, { id }, { policies, principal }) {
    return policies.instructions.remove(principal.view, id)
  },
} satisfies Resolvers['Mutation']

const versionFields = {
  updatedAt: ({ createdAt }: InstructionVersion) => createdAt,
  fileLastModified: ({ modifiedAt }: InstructionVersion) => modifiedAt,
  extension: fileExtension,
  async name({ instructionId }: InstructionVersion, _: unknown, { loaders }: Context) {
    return (await loaders.instruction(instructionId))?.name ?? ''
  },
}

export const policyResolvers = {
  Query: queries,
  Mutation: { ...policyMutations, ...instructionMutations },

  Policy: {
    workInstruction: ({ workInstructionId: id }, _, { loaders }) =>
      id === null ? null : loaders.instruction(id),
    group: ({ groupId }, _, { loaders }) => loaders.group(groupId),
    levels: ({ levels }) => levels?.map((level) => levelName(level as Level)),
  },

  WorkInstruction: {
    filename: async (row, _, context) => (await loadNewest(row, context))?.filename,
    extension: async (row, _, context) => {
      const newest = await loadNewest(row, context)
      return newest && fileExtension(newest)
    },
    group: ({ groupId }, _, { loaders }) => loaders.group(groupId),
    versions: ({ id }, _, { loaders }) => loaders.instructionVersions(id),
    contents: ({ id }, _, { loaders }) => loaders.instructionVersions(id),
    fileData: async (row, _, context) => {
      const newest = await loadNewest(row, context)
      return newest && context.loaders.fileData(newest)
    },
    fileLastModified: async (row, _, context) => (await loadNewest(row, context))?.modifiedAt,
  },

  WorkInstructionVersion: {
    ...versionFields,
    workInstructionId: ({ instructionId }) => instructionId,
    async group({ instructionId }, _, { loaders }) {
      const instruction = await loaders.instruction(instructionId)
      return instruction && loaders.group(instruction.groupId)
    },
    fileData: (version, _, { loaders }) => loaders.fileData(version),
  },

  WorkInstructionContent: { ...versionFields, size: ({ bytes }) => bytes },
} satisfies Resolvers

/** The newest file of a work instruction; undefined if there is none. */
async function loadNewest(
  { id, version }: { readonly id: string; readonly version: number },
  { loaders }: Context,
): Promise<InstructionVersion | undefined> {
  return version === 0 ? undefined : (await loaders.instructionVersions(id))[0]
}

function fileExtension({ filename }: InstructionVersion): string {
  const dot = filename.lastIndexOf('.')
  return dot < 0 ? '' : filename.slice(dot + 1)
}

function parsePolicy({ levels, ...input }: PolicyArgument): PolicyInput {
  if (levels === undefined) return input
  return { ...input, levels: levels === null ? null : levels.map(levelFor) }
}

/** @throws Fault `invalid_argument`. */
function parseFile({
  data,
  filename,
  contentType,
  lastModified,
}: WorkInstructionFileInput): InstructionFile {
  const bytes = Buffer.from(data, 'base64')
  const padded = bytes.toString('base64')
  if (padded !== data && padded.replace(/=+$/, '') !== data) {
    throw new Fault('invalid_argument', 'data must be base64.')
  }
  return { filename, data: bytes, contentType, modifiedAt: lastModified }
}
