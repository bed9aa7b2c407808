#include "align/formats/result_writer.hpp"

namespace program {

std::unique_ptr<ResultWriter> make_writer(const Context& context) {
  switch (context.settings.chosen_format()) {
    case Format::tsv:
      return make_table_writer(context);
    case Format::blast6:
      return make_blast_writer(context, false);
    case Format::blast7:
      return make_blast_writer(context, true);
    case Format::sam:
    case Format::bam:
      return make_sam_writer(context);
    case Format::pairwise:
      return make_pairwise_writer(context);
    case Format::json:
      break;
  }
  return make_json_writer(context);
}

}  // namespace program
