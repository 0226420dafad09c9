// Schema.Class and its tagged kin: a class whose constructor checks, and which is a schema of its own instances.

import { left, right } from "../either";
import { YieldableError } from "../data";
import * as ast from "./ast";
import { Struct, annotationsOf, isSchema, schemaOf, withDefaults } from "./core";
import { Type } from "./issue";
import * as parse from "./parse";
import { decoder, encoder } from "./parser";
import { extend, tag as tagField } from "./signatures";

const isFields = (given: any) => !isSchema(given) && !("fields" in Object(given));

function classOf(kind: string, identifier: string, fields: any, schema: any, Base: any, given: any): any {
  const instanceNode = (self: any) => {
    const typeSide = ast.typeSide(schema.ast);
    const way = (parserOf: (node: ast.Node) => any) => () => {
      const parser = parserOf(typeSide);
      return (input: any, options: any, node: ast.Node) => {
        if (!(input instanceof self)) return left(Type(node, input));
        const made = parser(input, options);
        return made._tag === "Right" ? right(input) : made;
      };
    };
    return ast.declaration([], way(decoder), way(encoder), { identifier, surrogate: typeSide, ...annotationsOf(given) });
  };
  class SchemaClassBase extends Base {
    constructor(props: any = {}, options?: any) {
      props = withDefaults(fields, { ...props });
      for (const [key, value] of Object.entries(props)) if (key === "_tag" && value === undefined) delete props[key];
      const unchecked = options === true || options?.disableValidation === true;
      super(unchecked ? props : parse.validateSync(schema.annotations({ title: `${identifier} (Constructor)` }))(props));
    }
  }
  const memo = new WeakMap<object, any>();
  const nodeOf = (self: any): ast.Node => {
    let node = memo.get(self);
    if (node === undefined) {
      const from = ast.annotate(schema.ast, { autoTitle: `${identifier} (Encoded side)` });
      const to = instanceNode(self);
      node = ast.transformation(from, to, {
        kind: "final",
        decode: (input: any) => right(new self(input, true)),
        encode: (instance: any) => right({ ...instance }),
      });
      memo.set(self, node);
    }
    return node;
  };
  Object.defineProperties(SchemaClassBase, {
    ast: { get(this: any) { return nodeOf(this); }, configurable: true },
    fields: { value: fields },
    identifier: { value: identifier },
    pipe: { value(this: any, ...steps: any[]) { return steps.reduce((held, step) => step(held), this); } },
    annotations: { value(this: any, extra: any) { return schemaOf(ast.annotate(this.ast, annotationsOf(extra))); } },
    toString: { value(this: any) { return `(${identifier} (Encoded side) <-> ${identifier})`; } },
    make: { value(this: any, ...args: any[]) { return new this(...args); } },
    extend: {
      value(this: any, nextIdentifier: string) {
        return (moreFields: any, more?: any) => {
          const all = { ...fields, ...moreFields };
          return classOf(kind, nextIdentifier, all, extend(schema, Struct(moreFields)), this, more);
        };
      },
    },
    [Symbol.for("effect/Schema")]: { value: Symbol.for("effect/Schema") },
  });
  if (kind !== "Class") Object.defineProperty(SchemaClassBase, "_tag", { value: fields._tag?.ast?.type?.literal });
  return SchemaClassBase;
}

// Shaped holds the fields of an instance; Base of an extended class is the parent class itself.
class Shaped {
  constructor(props: any) {
    Object.assign(this, props);
  }
}

const started = (given: any): { fields: any; schema: any } =>
  isFields(given) ? { fields: given, schema: Struct(given) } : { fields: given.fields ?? {}, schema: given };

export const Class = (identifier: string) => (given: any, annotations?: any) => {
  const { fields, schema } = started(given);
  return classOf("Class", identifier, fields, schema, Shaped, annotations);
};

const taggedFields = (tag: string, given: any) => ({ ...started(given).fields, _tag: tagField(tag) });
export const TaggedClass = (identifier?: string) => (tag: string, given: any, annotations?: any) => {
  const fields = taggedFields(tag, given);
  return classOf("TaggedClass", identifier ?? tag, fields, Struct(fields), Shaped, annotations);
};

export const TaggedError = (identifier?: string) => (tag: string, given: any, annotations?: any) => {
  const fields = taggedFields(tag, given);
  class ErrorBase extends YieldableError {
    constructor(props: any) {
      super(props?.message, props?.cause ? { cause: props.cause } : undefined);
      Object.assign(this, props);
    }
  }
  ErrorBase.prototype.name = tag;
  return classOf("TaggedError", identifier ?? tag, fields, Struct(fields), ErrorBase, annotations);
};
