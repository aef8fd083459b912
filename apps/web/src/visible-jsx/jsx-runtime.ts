import { jsx as reactJsx, jsxs as reactJsxs } from "react/jsx-runtime";
import { visibleProps } from "./visible-props.ts";

export { Fragment } from "react/jsx-runtime";

/** What the page's JSX is compiled to. */
export const jsx: typeof reactJsx = (type, props, key) => reactJsx(type, visibleProps(type, props), key);
export const jsxs: typeof reactJsxs = (type, props, key) => reactJsxs(type, visibleProps(type, props), key);
