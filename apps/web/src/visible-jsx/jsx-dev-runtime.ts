import { jsxDEV as reactJsxDev } from "react/jsx-dev-runtime";
import { visibleProps } from "./visible-props.ts";

export { Fragment } from "react/jsx-dev-runtime";

/** What JSX is compiled to while one works on the page. */
export const jsxDEV: typeof reactJsxDev = (type, props, ...rest) =>
  reactJsxDev(type, visibleProps(type, props), ...rest);
